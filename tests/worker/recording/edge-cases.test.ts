import { SELF } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { readGuestTicket, signGuestTicket } from "#server/recording/guest-ticket.ts";
import { parseSonioxFrame } from "#worker/adapters/soniox.ts";
import { createGuest, origin, services } from "./support.ts";

describe("an answer of the speech service", () => {
  test("is parsed with unknown additional fields", () => {
    const frame = JSON.stringify({
      tokens: [
        {
          text: " one",
          start_ms: 10,
          end_ms: 90,
          confidence: 0.9,
          is_final: true,
          speaker: "1",
          language: "en",
          mood: "fine",
        },
        { text: "<end>", is_final: true },
      ],
      final_audio_proc_ms: 100,
      total_audio_proc_ms: 250,
      weather: "rain",
    });
    expect(parseSonioxFrame(frame)).toEqual({
      type: "progress",
      tokens: [
        { text: " one", isFinal: true, startMs: 10, endMs: 90, speaker: "1" },
        { text: "<end>", isFinal: true, startMs: null, endMs: null, speaker: null },
      ],
      finalMs: 100,
      totalMs: 250,
    });
  });

  test("is an error if it has an error code", () => {
    const frame = JSON.stringify({ tokens: [], error_code: 503, error_message: "Restart." });
    expect(parseSonioxFrame(frame)).toEqual({ type: "error", code: 503, detail: "Restart." });
  });

  test("counts a token with a time or a speaker that makes no sense", () => {
    const token = { text: " one", start_ms: -1, end_ms: "90", speaker: {} };
    expect(parseSonioxFrame(JSON.stringify({ tokens: [token] }))).toEqual({
      type: "progress",
      tokens: [{ text: " one", isFinal: false, startMs: null, endMs: null, speaker: null }],
      finalMs: 0,
      totalMs: 0,
    });
  });

  test.each([
    ...[
      "",
      "nonsense",
      "null",
      "[]",
      "3",
      '{"tokens":[{"text":5}]}',
      '{"tokens":[{}]}',
      '{"tokens":{}}',
    ],
    ...[
      '{"tokens":[null]}',
      '{"total_audio_proc_ms":"1"}',
      '{"error_code":"x"}',
      new ArrayBuffer(4),
    ],
  ])("that makes no sense is none: %o", (frame) => {
    expect(parseSonioxFrame(frame)).toBeNull();
  });
});

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
