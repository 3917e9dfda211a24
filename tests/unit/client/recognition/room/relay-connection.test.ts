import { describe, expect, test } from "vitest";
import {
  findEnd,
  getRetryDelay,
  getShortestDelay,
  reconnectMaxMs,
} from "#client/recognition/room/reconnect-decision.ts";
import {
  parseServerFrame,
  RelayConnection,
  toTextFrame,
} from "#client/recognition/room/relay-connection.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

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

  test.each([1001, 1005, 1006, 1011, 1012, 1013])("retries without limit after %i", (code) => {
    expect(findEnd({ ...loss, code })).toBeNull();
    expect(getRetryDelay(100_000, 0.999)).toBeLessThanOrEqual(15_000);
  });

  test.each([
    [{ code: 4001 }, { kind: "takenOver" }],
    [{ code: 1000 }, { kind: "closed" }],
    [{ code: 1008 }, { kind: "disconnected", code: 1008, reason: "" }],
    [
      { error: { code: "transcription_failed", message: "No key.", retryable: false } as const },
      { kind: "refused", code: "transcription_failed", message: "No key." },
    ],
  ])("ends when it was taken over, refused or unwelcome: %j", (over, end) => {
    expect(findEnd({ ...loss, ...over })).toEqual(end);
  });

  test("a refusal that passes is retried, even with 1008", () => {
    const error = { code: "rate_limited", message: "Too fast.", retryable: true } as const;
    expect(findEnd({ code: 1008, reason: "", error })).toBeNull();
    expect(getShortestDelay({ code: 1008, reason: "", error })).toBe(5_000);
  });
});

test("a dead connection is noticed in seconds although the device's clock is set back", async () => {
  const clock = new ManualClock();
  let setBackMs = 0;
  const now = () => clock.now() - setBackMs;
  const after = clock.after.bind(clock);
  const losses: string[] = [];
  const events = {
    configure: () => ({ type: "keepalive" }) as const,
    message() {},
    lost: ({ reason }: { reason: string }) => losses.push(reason),
  };
  const connection = new RelayConnection({ now, after }, events);
  const socket = { send() {}, close() {} };
  connection.open({ connect: () => socket, fetchRefusal: async () => null }, "/");
  await clock.advance(5_000);
  setBackMs = 3_600_000;
  await clock.advance(12_000);
  expect(losses).toEqual(["silent"]);
});

test("a probe goes back, which says that everything before it was read", () => {
  const received: string[] = [];
  const sent: unknown[] = [];
  let deliver = (_: unknown) => {};
  const connection = new RelayConnection(new ManualClock(), {
    configure: () => ({ type: "keepalive" }),
    message: ({ type }) => received.push(type),
    lost() {},
  });
  const transport = {
    connect(_: string, { message }: { message(data: unknown): void }) {
      deliver = message;
      return { send: (frame: unknown) => sent.push(frame), close() {} };
    },
    fetchRefusal: async () => null,
  };
  connection.open(transport, "/");
  deliver(JSON.stringify({ type: "probe", probe: "0123456789abcdef" }));
  expect(sent).toEqual([JSON.stringify({ type: "probe", probe: "0123456789abcdef" })]);
  expect(received).toEqual([]);
});

describe("frames", () => {
  test("what is no message of the room is null", () => {
    for (const data of ["", "{", "[]", '{"type":"hello"}', '{"type":"ack","seq":-1}', 3, null]) {
      expect(parseServerFrame(data)).toBeNull();
    }
    expect(parseServerFrame(new ArrayBuffer(4))).toBeNull();
    expect(parseServerFrame('{"type":"ack","seq":7}')).toEqual({ type: "ack", seq: 7 });
  });

  test("a message that the room would refuse is not sent", () => {
    expect(() => toTextFrame({ type: "config", sampleRate: 1, language: "en" })).toThrow();
  });
});
