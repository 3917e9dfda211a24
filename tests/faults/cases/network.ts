import { setTimeout as sleep } from "node:timers/promises";
import { engines, type Fault, services } from "#tests/faults/recording.ts";

/** Seconds; `OUTAGES=0.5,600` takes others. */
const outages = (process.env.OUTAGES ?? (process.env.LONG ? "600" : "0.5,2.5,6,12,60"))
  .split(",")
  .map(Number);
/** An engine in the browser needs no network for its words, only to save them. */
const savedOutageMinSeconds = 12;

const waiting = ["record.waiting", "record.reconnecting"] as const;

const told = ["offline.recording", "bar.offlineRecording", ...waiting] as const;

const createOutage = (seconds: number): Fault => ({
  name: `network outage of ${seconds} s`,
  engines: seconds >= savedOutageMinSeconds && seconds <= 60 ? engines : services,
  words: 9 + Math.ceil(seconds),
  isLong: seconds > 60,
  // Nobody could read that the network was away for half a second.
  tells: seconds < 1 ? null : told,
  async cause(recording) {
    await recording.setOffline(true);
    await sleep(seconds * 1_000);
    await recording.setOffline(false);
  },
});

/** `kbit`: a second, of both directions together. */
const createSlowLine = (kbit: number, mustTell: boolean): Fault => ({
  name: `line of ${kbit} kbit/s`,
  engines: services,
  words: mustTell ? 27 : 15,
  tells: mustTell ? waiting : null,
  async cause(recording) {
    recording.site.front.set({ rate: (kbit * 1_000) / 8 });
    if (mustTell) await recording.waitUntilTold(waiting);
    else await recording.waitForSentence(2);
    recording.site.front.repair();
  },
});

export const networkFaults: readonly Fault[] = [
  ...outages.map(createOutage),
  {
    name: "room killed during a network outage of 2.5 s",
    engines: services,
    tells: told,
    async cause(recording) {
      await recording.setOffline(true);
      await recording.site.killRoom(recording.id);
      await sleep(2_500);
      await recording.setOffline(false);
    },
  },
  {
    name: "line that loses 5 % of its segments",
    engines: services,
    words: 18,
    tells: null,
    async cause(recording) {
      recording.site.front.set({ lostEach: 20 });
      await recording.waitForSentence(-1);
      recording.site.front.repair();
    },
  },
  createSlowLine(300, false),
  createSlowLine(64, false),
  createSlowLine(20, true),
  {
    name: "dead line without a close",
    engines: services,
    words: 18,
    hasFiles: true,
    tells: waiting,
    async cause({ site }) {
      site.front.kill();
    },
  },
];
