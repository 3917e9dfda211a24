import { expect, test } from "vitest";
import { SubscriptionWatch } from "#client/state/subscription-watch.ts";
import type { UserChannelEvents } from "#client/state/user-channel.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

function watching() {
  const clock = new ManualClock();
  const checks: string[] = [];
  const channels: UserChannelEvents[] = [];
  let open = 0;
  const watch = new SubscriptionWatch({
    clock,
    check: async () => void checks.push("check"),
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
  return { clock, checks, watch, live, channels, open: () => open };
}

test("fetches nothing and opens no channel while nothing shows it or nobody is signed in", async () => {
  const { clock, checks, watch, open } = watching();
  watch.authChanged("lin");
  await clock.advance(600_000);
  watch.authChanged(null);
  const release = watch.watch();
  await clock.advance(600_000);
  expect(open()).toBe(0);
  expect(checks).toEqual([]);
  release();
});

test("fetches every 5 minutes while the channel is open", async () => {
  const { clock, checks, watch, live } = watching();
  watch.authChanged("lin");
  watch.watch();
  live().onOpen();
  expect(checks).toEqual(["anew"]);
  await clock.advance(299_999);
  expect(checks).toEqual(["anew"]);
  await clock.advance(1);
  expect(checks).toEqual(["anew", "check"]);
  await clock.advance(600_000);
  expect(checks).toEqual(["anew", "check", "check", "check"]);
});

test("fetches at once when a change is reported", () => {
  const { checks, watch, live } = watching();
  watch.authChanged("lin");
  watch.watch();
  live().onOpen();
  live().onChange();
  expect(checks).toEqual(["anew", "anew"]);
});

test("fetches every 15 s without a channel, however often it reconnects", async () => {
  const { clock, checks, watch, live } = watching();
  watch.authChanged("lin");
  watch.watch();
  for (let tried = 0; tried < 6; tried += 1) {
    live().onDisconnect();
    await clock.advance(5_000);
  }
  expect(checks).toEqual(["check", "check"]);
  live().onOpen();
  live().onDisconnect();
  await clock.advance(15_000);
  expect(checks).toEqual(["check", "check", "anew", "check"]);
});

test("fetches 1 s after the last change of the signed-in user", async () => {
  const { clock, checks, watch, open } = watching();
  watch.watch();
  watch.authChanged("lin");
  await clock.advance(900);
  watch.authChanged("lin");
  await clock.advance(999);
  expect(checks).toEqual([]);
  await clock.advance(1);
  expect(checks).toEqual(["check"]);
  expect(open()).toBe(1);
});

test("closes the channel on sign-out, and opens another for another user", async () => {
  const { clock, checks, watch, channels, open } = watching();
  watch.authChanged("lin");
  watch.watch();
  watch.authChanged(null);
  expect(open()).toBe(0);
  await clock.advance(600_000);
  expect(checks).toEqual([]);
  watch.authChanged("mei");
  watch.authChanged("ana");
  expect(channels).toHaveLength(3);
  expect(open()).toBe(1);
});

test("is shared by all components, survives a page change, and ends with the last one", async () => {
  const { clock, watch, channels, open } = watching();
  watch.authChanged("lin");
  const first = watch.watch();
  const second = watch.watch();
  first();
  await clock.advance(5_000);
  second();
  const third = watch.watch();
  await clock.advance(5_000);
  expect(channels).toHaveLength(1);
  expect(open()).toBe(1);
  third();
  await clock.advance(1_000);
  expect(open()).toBe(0);
  expect(clock.timers).toBe(0);
});
