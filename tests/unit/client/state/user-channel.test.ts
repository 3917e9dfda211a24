import { expect, test } from "vitest";
import type { SocketHandlers } from "#client/lib/socket.ts";
import {
  followUserChannel,
  type UserChannelEvents,
  userChannelRetries,
} from "#client/state/user-channel.ts";
import { getBackoffMs } from "#shared/limits.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/** A server's end of the channel that a test plays. */
function channel() {
  const clock = new ManualClock();
  const heard: string[] = [];
  /** About lectures. */
  const told: string[] = [];
  const sent: unknown[] = [];
  const paths: string[] = [];
  const closed: number[] = [];
  const sockets: SocketHandlers[] = [];
  let wake = () => {};
  const events: UserChannelEvents = {
    onOpen: () => heard.push("opened"),
    onChange: () => heard.push("changed"),
    onDisconnect: () => heard.push("lost"),
  };
  const leave = followUserChannel(
    {
      clock,
      random: () => 0,
      onWake(listener) {
        wake = listener;
        return () => {
          wake = () => {};
        };
      },
      connect(path, handlers) {
        paths.push(path);
        sockets.push(handlers);
        return { send: (data) => sent.push(data), close: (code) => closed.push(code) };
      },
    },
    events,
    {
      onOpen: () => told.push("opened"),
      onLectureChange: ({ lectureId }) => told.push(lectureId),
    },
  );
  const newest = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error("No socket was opened");
    return socket;
  };
  return { clock, heard, told, sent, paths, closed, sockets, newest, leave, wake: () => wake() };
}

test("reports changed lectures, and that it is open", () => {
  const { newest, heard, told } = channel();
  newest().open();
  newest().message('{"type":"lecture_changed","lectureId":"one","pageId":null}');
  newest().message('{"type":"lecture_changed","lectureId":1,"pageId":null}');
  expect(told).toEqual(["opened", "one"]);
  expect(heard).toEqual(["opened"]);
});

test("reports a change and ignores unknown messages", () => {
  const { newest, heard, paths } = channel();
  newest().open();
  for (const data of [
    '{"type":"profile_changed"}',
    '{"type":"other"}',
    "not json",
    "pong",
    new ArrayBuffer(2),
  ])
    newest().message(data);
  expect(heard).toEqual(["opened", "changed"]);
  expect(paths).toEqual(["/api/live"]);
});

test("doubles the wait from a second to a minute, up to half of it early", () => {
  expect(
    [0, 1, 2, 5, 6, 40].map((failures) => getBackoffMs(userChannelRetries, failures, 0)),
  ).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  expect(getBackoffMs(userChannelRetries, 1, 1)).toBe(1_000);
});

test("reconnects after growing waits, which a stable connection resets", async () => {
  const { clock, newest, sockets, heard } = channel();
  newest().close(1006, "");
  await clock.advance(1_000);
  expect(sockets).toHaveLength(2);
  // Accepted and let go at once, it is no better than refused.
  newest().open();
  newest().close(1011, "");
  await clock.advance(1_999);
  expect(sockets).toHaveLength(2);
  await clock.advance(1);
  expect(sockets).toHaveLength(3);
  newest().open();
  await clock.advance(10_000);
  newest().close(1006, "");
  await clock.advance(1_000);
  expect(sockets).toHaveLength(4);
  expect(heard).toEqual(["lost", "opened", "lost", "opened", "lost"]);
});

test("reconnects at once when the page becomes visible", async () => {
  const { clock, newest, sockets, wake } = channel();
  wake();
  expect(sockets).toHaveLength(1);
  newest().close(1006, "");
  wake();
  expect(sockets).toHaveLength(2);
  newest().open();
  wake();
  await clock.advance(5_000);
  expect(sockets).toHaveLength(2);
});

test("checks the session after a policy close, once another tab had time to report", async () => {
  const { clock, newest, heard, sockets } = channel();
  newest().open();
  newest().close(1008, "");
  await clock.advance(1_999);
  expect(heard).toEqual(["opened", "lost"]);
  await clock.advance(1);
  expect(heard).toEqual(["opened", "lost", "changed"]);
  expect(sockets).toHaveLength(1);
  await clock.advance(1_000);
  expect(sockets).toHaveLength(2);

  const unauthorized = channel();
  unauthorized.newest().close(1008, "");
  unauthorized.leave();
  await unauthorized.clock.advance(60_000);
  expect(unauthorized.heard).toEqual(["lost"]);
});

test("notices a network that was lost silently", async () => {
  const { clock, newest, sent, closed, heard, sockets } = channel();
  newest().open();
  await clock.advance(30_000);
  expect(sent).toEqual(["ping"]);
  newest().message("pong");
  await clock.advance(39_999);
  expect(sent).toEqual(["ping", "ping"]);
  expect(closed).toEqual([]);
  await clock.advance(1);
  expect(closed).toEqual([1000]);
  // What the browser says of it later counts no second time.
  newest().close(1006, "");
  await clock.advance(1_000);
  expect(heard).toEqual(["opened", "lost"]);
  expect(sockets).toHaveLength(2);
});

test("stops when closed, open or waiting", async () => {
  const open = channel();
  open.newest().open();
  open.leave();
  open.newest().message('{"type":"profile_changed"}');
  open.newest().close(1000, "");
  await open.clock.advance(120_000);
  expect(open.closed).toEqual([1000]);
  expect(open.heard).toEqual(["opened"]);
  expect(open.sockets).toHaveLength(1);
  expect(open.clock.timers).toBe(0);

  const waiting = channel();
  waiting.newest().close(1006, "");
  waiting.leave();
  waiting.wake();
  await waiting.clock.advance(120_000);
  expect(waiting.sockets).toHaveLength(1);
});
