import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  initialState,
  type SessionEvent,
  shown,
  transition,
} from "../../../../src/client/realtime/session-machine.ts";

const events: SessionEvent[] = [
  { type: "recordAsked" },
  { type: "started" },
  { type: "startFailed" },
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
  }, initialState);
}

test("record, stop, continue, save", () => {
  expect(shown(after("recordAsked"))).toEqual({ status: "ready", busy: "starting" });
  expect(shown(after("recordAsked", "started"))).toEqual({ status: "recording", busy: null });
  const stopping = after("recordAsked", "started", "stopAsked");
  expect(shown(stopping)).toEqual({ status: "recording", busy: "stopping" });
  const paused = transition(stopping, { type: "stopped", content: true });
  expect(shown(paused)).toEqual({ status: "paused", busy: null });
  const starting = transition(paused, { type: "recordAsked" });
  expect(shown(starting)).toEqual({ status: "paused", busy: "starting" });
  const saving = transition(paused, { type: "saveAsked" });
  expect(shown(saving)).toEqual({ status: "paused", busy: "saving" });
  expect(shown(transition(saving, { type: "saved" }))).toEqual({ status: "ready", busy: null });
});

test("what comes too late or twice changes nothing", () => {
  expect(after("recordAsked", "recordAsked")).toEqual(after("recordAsked"));
  expect(after("started")).toBe(initialState);
  expect(after("recordAsked", "stopAsked", "started").phase).toBe("stopping");
  expect(after("recordAsked", "started", "loadAsked", "stopped").phase).toBe("loading");
  expect(after("saveAsked", "loadAsked", "saved").phase).toBe("loading");
});

test("from every state that can be reached, the way back to rest exists, and disposed is the end", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...events)), (sequence) => {
      const state = sequence.reduce(transition, initialState);
      const rested = (
        [
          { type: "startFailed" },
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
