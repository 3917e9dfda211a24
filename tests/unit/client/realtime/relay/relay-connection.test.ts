import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideReconnect,
  getRetryDelay,
  reconnectMaxMs,
} from "#client/realtime/relay/reconnect-decision.ts";
import { parseServerFrame, toAudioFrame, toTextFrame } from "#client/realtime/relay/wire.ts";
import { decodeAudioFrame, relayClientMessage } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const loss = { code: 1006, reason: "", error: null };

describe("after a loss", () => {
  test("retries immediately, then after about 2 s, then with growing delays of up to 15 s", () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 20].map((failures) => getRetryDelay(failures, 0.5));
    expect(delays[0]).toBe(100);
    expect(delays[1]).toBe(2_000);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays.at(-1)).toBe(reconnectMaxMs);
    expect(getRetryDelay(1, 0)).toBe(1_600);
    expect(getRetryDelay(1, 0.999)).toBeLessThan(2_400);
  });

  test("retries temporary failures without limit", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1001, 1005, 1006, 1011, 1012, 1013),
        fc.nat(100_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (code, failures, random) => {
          const verdict = decideReconnect({ ...loss, code }, failures, random);
          expect(verdict.kind).toBe("retry");
          if (verdict.kind === "retry") expect(verdict.delayMs).toBeLessThanOrEqual(15_000);
        },
      ),
    );
  });

  test("taken over, refused and unwelcome connections end", () => {
    expect(decideReconnect({ ...loss, code: 4001 }, 0, 0)).toEqual({
      kind: "end",
      end: { kind: "takenOver" },
    });
    expect(decideReconnect({ ...loss, code: 1000 }, 0, 0)).toEqual({
      kind: "end",
      end: { kind: "closed" },
    });
    expect(decideReconnect({ ...loss, code: 1008 }, 0, 0)).toEqual({
      kind: "end",
      end: { kind: "disconnected", code: 1008, reason: "Unknown" },
    });
    const error = { code: "transcription_failed", message: "No key.", retryable: false } as const;
    expect(decideReconnect({ ...loss, error }, 0, 0)).toEqual({
      kind: "end",
      end: { kind: "refused", code: "transcription_failed", message: "No key." },
    });
  });

  test("a refusal that passes is retried, even with 1008", () => {
    const error = { code: "rate_limited", message: "Too fast.", retryable: true } as const;
    const decision = decideReconnect({ code: 1008, reason: "", error }, 0, 0);
    expect(decision).toEqual({ kind: "retry", delayMs: 5_000 });
  });
});

describe("frames", () => {
  test("what is no message of the room is null", () => {
    for (const data of ["", "{", "[]", '{"type":"hello"}', '{"type":"ack","seq":-1}', 3, null]) {
      expect(parseServerFrame(data)).toBeNull();
    }
    expect(parseServerFrame(new ArrayBuffer(4))).toBeNull();
    expect(parseServerFrame('{"type":"ack","seq":7}')).toEqual({ type: "ack", seq: 7 });
  });

  test("both encodings carry the same samples and number", () => {
    fc.assert(
      fc.property(
        fc.nat(0xffff_ffff),
        fc.uint8Array({ minLength: 2, maxLength: 8_192 }),
        (seq, bytes) => {
          const pcm = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2)));
          const format = { codec: "pcm_s16le", isContinued: true } as const;
          const binary = toAudioFrame({ ...format, encoding: "binary" }, seq, pcm);
          if (typeof binary === "string") throw new Error("binary expected");
          expect(decodeAudioFrame(binary.buffer)).toEqual({ seq, chunk: pcm });
          const text = toAudioFrame({ ...format, encoding: "base64" }, seq, pcm);
          if (typeof text !== "string") throw new Error("text expected");
          const message = relayClientMessage.parse(JSON.parse(text));
          if (message.type !== "audio") throw new Error("audio expected");
          expect(message.seq).toBe(seq);
          expect(new Uint8Array(Buffer.from(message.data, "base64"))).toEqual(pcm);
        },
      ),
      { numRuns: countRuns(50) },
    );
  });

  test("a message that the room would refuse is not sent", () => {
    expect(() => toTextFrame({ type: "config", sampleRate: 1, language: "en" })).toThrow();
  });
});
