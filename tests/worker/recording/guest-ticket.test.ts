import { SELF } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { readGuestTicket, signGuestTicket } from "#server/recording/guest-ticket.ts";
import { createGuest, origin, services } from "./support.ts";

describe("recording.guestTicket", () => {
  async function ask(previous: string | null) {
    const response = await SELF.fetch(`${origin}/trpc/recording.guestTicket`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ previous }),
    });
    const body: { result: { data: { recordingId: string; ticket: string; expiresAt: string } } } =
      await response.json();
    return body.result.data;
  }

  test("issues a ticket for an hour with a new id", async () => {
    const { recordingId, ticket, expiresAt } = await ask(null);
    const secret = services.env.guestTicketSecret;
    expect(readGuestTicket(secret, ticket, new Date())).toMatchObject({ recordingId });
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect((await ask(null)).recordingId).not.toBe(recordingId);
  });

  test("keeps an earlier ticket's recording until a day after its expiry", async () => {
    const secret = services.env.guestTicketSecret;
    const { recordingId } = await createGuest();
    const ended = (hours: number) =>
      signGuestTicket(secret, { recordingId, expiresAt: new Date(Date.now() - hours * 3_600_000) });
    expect((await ask(ended(23))).recordingId).toBe(recordingId);
    expect((await ask(ended(25))).recordingId).not.toBe(recordingId);
    expect((await ask("forged.ticket")).recordingId).not.toBe(recordingId);
  });
});
