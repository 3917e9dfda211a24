import { expect, test } from "vitest";
import { SubscriptionWatch } from "#client/state/subscription-watch.ts";
import type { UserChannelEvents } from "#client/state/user-channel.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

function watching() {
  const clock = new ManualClock();
  const checks: string[] = [];
  const channels: UserChannelEvents[] = [];
  let open = 0;
  const watch = new SubscriptionWatch({
    clock,
    check: async () => void checks.push("check"),
    load: async () => void checks.push("load"),
    recheck: async () => void checks.push("anew"),
    follow(events) {
      channels.push(events);
      open += 1;
      return () => {
        open -= 1;
      };
    },
  });
  const live = () => {
    const channel = channels.at(-1);
    if (!channel) throw new Error("No channel was opened");
    return channel;
  };
  /** `userId` was signed in when the page was loaded. */
  const load = (userId: string) => watch.authChanged(userId, 0);
  const signIn = (userId: string | null) => watch.authChanged(userId, clock.now());
  return { clock, checks, watch, load, signIn, live, channels, open: () => open };
}

test("fetches nothing and opens no channel while nothing shows it or nobody is signed in", async () => {
  const { clock, checks, watch, load, signIn, open } = watching();
  load("lin");
  await clock.advance(600_000);
  signIn("mei");
  await clock.advance(600_000);
  signIn(null);
  const release = watch.watch();
  await clock.advance(600_000);
  expect(open()).toBe(0);
  expect(checks).toEqual([]);
  release();
});

test("fetches at load, and every 5 minutes from when the channel is open", async () => {
  const { clock, checks, watch, load, live } = watching();
  load("lin");
  watch.watch();
  expect(checks).toEqual(["load"]);
  await clock.advance(800);
  live().onOpen();
  await clock.advance(299_999);
  expect(checks).toEqual(["load"]);
  await clock.advance(1);
  expect(checks).toEqual(["load", "check"]);
  await clock.advance(600_000);
  expect(checks).toEqual(["load", "check", "check", "check"]);
});

test("fetches once after a sign-in, 1 s after it, whenever the page shows it and the channel opens", async () => {
  for (const [shownAfterMs, openAfterMs] of [
    [0, 100],
    [440, 500],
    [440, 1_400],
    [999, 3_000],
  ] as const) {
    const { clock, checks, watch, signIn, live } = watching();
    signIn(null);
    await clock.advance(10_000);
    signIn("lin");
    await clock.advance(shownAfterMs);
    watch.watch();
    const fetchedAt: number[] = [];
    for (let ms = shownAfterMs + 1; ms <= 10_000; ms += 1) {
      await clock.advance(1);
      if (ms === openAfterMs) live().onOpen();
      if (checks.length > fetchedAt.length) fetchedAt.push(ms);
    }
    expect(fetchedAt).toEqual([1_000]);
  }
});

test("fetches at once on a page that is shown more than 1 s after the sign-in", async () => {
  const { clock, checks, watch, signIn } = watching();
  signIn("lin");
  await clock.advance(1_500);
  watch.watch();
  expect(checks).toEqual(["load"]);
});

test("fetches at once when a change is reported", () => {
  const { checks, watch, load, live } = watching();
  load("lin");
  watch.watch();
  live().onOpen();
  live().onChange();
  expect(checks).toEqual(["load", "anew"]);
});

test("fetches anew when the channel opens late, or again: changes may have been missed", async () => {
  const { clock, checks, watch, load, live } = watching();
  load("lin");
  watch.watch();
  await clock.advance(5_000);
  live().onOpen();
  expect(checks).toEqual(["load", "anew"]);
  live().onDisconnect();
  live().onOpen();
  expect(checks).toEqual(["load", "anew", "anew"]);
});

test("fetches every 15 s without a channel, however often it reconnects", async () => {
  const { clock, checks, watch, load, live } = watching();
  load("lin");
  watch.watch();
  for (let tried = 0; tried < 6; tried += 1) {
    live().onDisconnect();
    await clock.advance(5_000);
  }
  expect(checks).toEqual(["load", "check", "check"]);
  live().onOpen();
  live().onDisconnect();
  await clock.advance(15_000);
  expect(checks).toEqual(["load", "check", "check", "anew", "check"]);
});

test("fetches 1 s after the last change of the signed-in user", async () => {
  const { clock, checks, watch, signIn, open } = watching();
  watch.watch();
  signIn("lin");
  await clock.advance(900);
  signIn("lin");
  await clock.advance(999);
  expect(checks).toEqual([]);
  await clock.advance(1);
  expect(checks).toEqual(["load"]);
  expect(open()).toBe(1);
});

test("closes the channel on sign-out, and opens another for another user", async () => {
  const { clock, checks, watch, load, signIn, channels, open } = watching();
  load("lin");
  watch.watch();
  signIn(null);
  expect(open()).toBe(0);
  await clock.advance(600_000);
  expect(checks).toEqual(["load"]);
  signIn("mei");
  signIn("ana");
  expect(channels).toHaveLength(3);
  expect(open()).toBe(1);
});

test("is shared by all components, survives a page change, and ends with the last one", async () => {
  const { clock, checks, watch, load, channels, open } = watching();
  load("lin");
  const first = watch.watch();
  const second = watch.watch();
  first();
  await clock.advance(5_000);
  second();
  const third = watch.watch();
  await clock.advance(5_000);
  expect(channels).toHaveLength(1);
  expect(checks).toEqual(["load"]);
  expect(open()).toBe(1);
  third();
  await clock.advance(1_000);
  expect(open()).toBe(0);
  expect(clock.timers).toBe(0);
});
