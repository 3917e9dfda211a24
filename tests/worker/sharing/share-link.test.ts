import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RoomEvent } from "#server/recording/room/events.ts";
import { createRoomState } from "#server/recording/room/state.ts";
import type { SharedSpeech } from "#server/sharing/room/events.ts";
import { relayClose } from "#shared/relay.ts";
import type { ShareRoomCalls } from "#worker/adapters/durable-objects.ts";
import { ShareLink } from "#worker/durable/share-link.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const stopped: RoomEvent = { type: "clientClosed", socketId: "1", code: relayClose.normal };

/** The link of a live recording to a share's object whose next `failures` calls fail. */
function createLink(failures: number) {
  const told: SharedSpeech[] = [];
  let left = failures;
  const reportSpeech = vi.fn(async (_: string, speech: SharedSpeech) => {
    left -= 1;
    if (left >= 0) throw new Error("The object was reset");
    told.push(speech);
    return true;
  });
  const rooms = { getByName: () => ({ reportSpeech }) };
  const link = new ShareLink(
    rooms as unknown as DurableObjectNamespace<ShareRoomCalls>,
    "share",
    "live",
    () => {},
  );
  return { link, told, reportSpeech };
}

test("a share that cannot be reached is told later that the recording has stopped", async () => {
  const { link, told } = createLink(2);
  link.observe(stopped, createRoomState(null, [], 0), []);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([{ recording: "stopped", finals: [], interim: [] }]);
});

test("a share that stays out of reach is given up", async () => {
  const { link, reportSpeech } = createLink(Number.POSITIVE_INFINITY);
  link.observe(stopped, createRoomState(null, [], 0), []);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(reportSpeech).toHaveBeenCalledTimes(11);
  expect(vi.getTimerCount()).toBe(0);
});
