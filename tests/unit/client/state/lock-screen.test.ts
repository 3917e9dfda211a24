// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { showOnLockScreen } from "#client/state/lock-screen.ts";
import { visitor } from "#client/state/visitor.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), commonMessages.load()]));
afterEach(() => vi.unstubAllGlobals());

it("shows the recording until it ends, and can stop it, but not by headphones that pause", () => {
  const handlers = new Map<string, (() => void) | null>();
  const controls = {
    metadata: null as object | null,
    playbackState: "none",
    setActionHandler: (action: string, run: (() => void) | null) => handlers.set(action, run),
  };
  vi.stubGlobal("navigator", { mediaSession: controls });
  vi.stubGlobal(
    "MediaMetadata",
    class {
      constructor(init: object) {
        Object.assign(this, init);
      }
    },
  );
  visitor.set({ kind: "guest" });
  const session = holdRecording();
  showOnLockScreen("Entropy");
  expect(controls).toMatchObject({
    metadata: { title: "Entropy", artist: "Recording" },
    playbackState: "playing",
  });
  expect([...handlers.keys()]).toEqual(["stop"]);
  handlers.get("stop")?.();
  expect(session.stop).toHaveBeenCalledOnce();
  showOnLockScreen(null);
  expect(controls).toMatchObject({ metadata: null, playbackState: "none" });
  expect(handlers.get("stop")).toBeNull();
});

it("does nothing where the browser has no such controls", () => {
  vi.stubGlobal("navigator", {});
  expect(() => showOnLockScreen("Entropy")).not.toThrow();
});
