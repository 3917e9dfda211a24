import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  initialSessionState,
  type SessionEvent,
  toStatus,
  transition,
} from "#client/realtime/session-state.ts";

const events: SessionEvent[] = [
  { type: "recordAsked" },
  { type: "started" },
  { type: "startFailed", content: false },
  { type: "stopAsked" },
  { type: "stopped", content: true },
  { type: "stopped", content: false },
  { type: "saveAsked" },
  { type: "saved" },
  { type: "saveFailed" },
  { type: "loadAsked" },
  { type: "loaded" },
  { type: "cleared" },
  { type: "loadFailed", content: true },
];

function after(...types: SessionEvent["type"][]) {
  return types.reduce((state, type) => {
    const event = events.find((each) => each.type === type);
    return event === undefined ? state : transition(state, event);
  }, initialSessionState);
}

test("record, stop, continue, save", () => {
  const look = (state: typeof initialSessionState) => {
    const { status, busy, canStop } = toStatus(state);
    return [status, busy, canStop];
  };
  expect(look(after("recordAsked"))).toEqual(["ready", "starting", true]);
  expect(look(after("recordAsked", "started"))).toEqual(["recording", null, true]);
  const stopping = after("recordAsked", "started", "stopAsked");
  expect(look(stopping)).toEqual(["recording", "stopping", false]);
  const paused = transition(stopping, { type: "stopped", content: true });
  expect(look(paused)).toEqual(["paused", null, false]);
  const starting = transition(paused, { type: "recordAsked" });
  expect(look(starting)).toEqual(["paused", "starting", true]);
  const saving = transition(paused, { type: "saveAsked" });
  expect(look(saving)).toEqual(["paused", "saving", false]);
  expect(look(transition(saving, { type: "saved" }))).toEqual(["ready", null, false]);
});

test("a start that fails with sound in hand leaves something to go on with", () => {
  const starting = after("recordAsked");
  expect(transition(starting, { type: "startFailed", content: true }).idleStatus).toBe("paused");
  expect(transition(starting, { type: "startFailed", content: false }).idleStatus).toBe("ready");
});

test("what comes too late or twice changes nothing", () => {
  expect(after("recordAsked", "recordAsked")).toEqual(after("recordAsked"));
  expect(after("started")).toBe(initialSessionState);
  expect(after("recordAsked", "stopAsked", "started").phase).toBe("stopping");
  expect(after("recordAsked", "started", "loadAsked", "stopped").phase).toBe("loading");
  expect(after("saveAsked", "loadAsked", "saved").phase).toBe("loading");
});

test("from every state that can be reached, the way back to rest exists, and disposed is the end", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events)), (sequence) => {
      const state = sequence.reduce(transition, initialSessionState);
      const rested = (
        [
          { type: "startFailed", content: false },
          { type: "stopAsked" },
          { type: "stopped", content: true },
          { type: "saveFailed" },
          { type: "loadFailed", content: true },
        ] as const
      ).reduce<typeof state>(transition, state);
      expect(rested.phase).toBe("resting");
      const ended = transition(state, { type: "disposed" });
      expect(sequence.reduce(transition, ended)).toBe(ended);
    }),
  );
});
