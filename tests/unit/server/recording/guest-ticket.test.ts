import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGuestTicket, signGuestTicket } from "#server/recording/guest-ticket.ts";

const secret = "a secret of thirty-two characters";
const now = new Date("2026-11-20T12:00:00Z");
const grant = {
  recordingId: "0190a000-0000-7000-8000-000000000001",
  expiresAt: new Date("2026-11-20T13:00:00Z"),
};

describe("a guest's ticket", () => {
  test("contains what was signed, in URL-safe characters", async () => {
    const ticket = signGuestTicket(secret, grant);
    expect(ticket).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(readGuestTicket(secret, ticket, now)).toEqual({ recordingId: grant.recordingId });
  });

  test("expires at its time", async () => {
    const ticket = signGuestTicket(secret, grant);
    expect(readGuestTicket(secret, ticket, new Date(grant.expiresAt.getTime() - 1))).not.toBeNull();
    expect(readGuestTicket(secret, ticket, grant.expiresAt)).toBeNull();
  });

  test("is invalid with another secret's signature", async () => {
    const ticket = signGuestTicket("another secret of the same length", grant);
    expect(readGuestTicket(secret, ticket, now)).toBeNull();
  });

  test("is invalid with one character changed", async () => {
    const ticket = signGuestTicket(secret, grant);
    // The signature's last character has unused bits.
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: ticket.length - 2 }), async (at) => {
        const other = ticket[at] === "A" ? "B" : "A";
        const forged = ticket.slice(0, at) + other + ticket.slice(at + 1);
        expect(readGuestTicket(secret, forged, now)).toBeNull();
      }),
    );
  });

  test("is invalid if it cannot be parsed", async () => {
    for (const ticket of ["", ".", "a.b", "a.b.c", "💥.💥", "x".repeat(600)])
      expect(readGuestTicket(secret, ticket, now)).toBeNull();
  });
});
