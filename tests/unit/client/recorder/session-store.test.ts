import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  initialSessionState,
  type SessionEvent,
  toStatus,
  transition,
} from "#client/recorder/session-store.ts";

const events: SessionEvent[] = [
  { type: "recordRequested" },
  { type: "started" },
  { type: "startFailed", hasContent: false },
  { type: "stopRequested", hasContent: true },
  { type: "stopRequested", hasContent: false },
  { type: "stopped", hasContent: true },
  { type: "stopped", hasContent: false },
  { type: "saveRequested" },
  { type: "saveEnded" },
  { type: "loadRequested" },
  { type: "loaded" },
  { type: "cleared" },
  { type: "loadFailed", hasContent: true },
];

function after(...types: SessionEvent["type"][]) {
  return types.reduce((state, type) => {
    const event = events.find((each) => each.type === type);
    return event === undefined ? state : transition(state, event);
  }, initialSessionState);
}

test("records, stops, continues and saves", () => {
  const look = (state: typeof initialSessionState) => {
    const { status, busy, canStop } = toStatus(state);
    return [status, busy, canStop];
  };
  expect(look(after("recordRequested"))).toEqual(["ready", "starting", true]);
  expect(look(after("recordRequested", "started"))).toEqual(["recording", null, true]);
  const paused = after("recordRequested", "started", "stopRequested");
  expect(look(paused)).toEqual(["paused", null, false]);
  const starting = transition(paused, { type: "recordRequested" });
  expect(look(starting)).toEqual(["paused", "starting", true]);
  const saving = transition(paused, { type: "saveRequested" });
  expect(look(saving)).toEqual(["paused", "saving", false]);
  expect(look(transition(saving, { type: "saveEnded" }))).toEqual(["paused", null, false]);
  const atOnce = after("recordRequested", "started", "saveRequested");
  expect(look(atOnce)).toEqual(["paused", "saving", false]);
  expect(look(transition(atOnce, { type: "saveEnded" }))).toEqual(["paused", null, false]);
});

test("is paused after a failed start with audio, and ready without", () => {
  const starting = after("recordRequested");
  expect(transition(starting, { type: "startFailed", hasContent: true }).idleStatus).toBe("paused");
  expect(transition(starting, { type: "startFailed", hasContent: false }).idleStatus).toBe("ready");
});

test("is paused after a start that was stopped, once there is audio", () => {
  const stopped = transition(after("recordRequested"), {
    type: "stopRequested",
    hasContent: false,
  });
  expect(toStatus(stopped)).toEqual({ status: "ready", busy: null, canStop: false });
  const paused = transition(stopped, { type: "stopped", hasContent: true });
  expect(toStatus(paused)).toEqual({ status: "paused", busy: null, canStop: false });
  const again = transition(stopped, { type: "recordRequested" });
  expect(toStatus(transition(again, { type: "stopped", hasContent: true }))).toEqual({
    status: "paused",
    busy: "starting",
    canStop: true,
  });
});

test("ignores late and repeated events", () => {
  expect(after("recordRequested", "recordRequested")).toEqual(after("recordRequested"));
  expect(after("started")).toBe(initialSessionState);
  expect(after("recordRequested", "stopRequested", "started").phase).toBe("idle");
  expect(after("recordRequested", "started", "loadRequested", "stopped").phase).toBe("loading");
  expect(after("saveRequested", "loadRequested", "saveEnded").phase).toBe("loading");
});

test("can return to idle from every state, and never leaves disposed", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events)), (sequence) => {
      const state = sequence.reduce(transition, initialSessionState);
      const rested = (
        [
          { type: "startFailed", hasContent: false },
          { type: "stopRequested", hasContent: true },
          { type: "saveEnded" },
          { type: "loadFailed", hasContent: true },
        ] as const
      ).reduce<typeof state>(transition, state);
      expect(rested.phase).toBe("idle");
      const ended = transition(state, { type: "disposed" });
      expect(sequence.reduce(transition, ended)).toBe(ended);
    }),
  );
});
