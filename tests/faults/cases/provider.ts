import { expect } from "#tests/e2e/support/test.ts";
import { type Fault, type Recording, services } from "#tests/faults/recording.ts";

const waiting = ["record.waiting", "record.reconnecting", "record.providerBusy"] as const;

/** Closes the open sessions, and refuses new ones with this HTTP status. */
const refuse = ({ site }: Recording, status: 429 | 503) =>
  site.speech({
    closeNow: 1011,
    ...(site.service === "Soniox" ? { errorOnStart: status } : { refuseWith: status }),
  });

const createRefusal = (name: string, status: 429 | 503): Fault => ({
  name,
  engines: services,
  words: 21,
  tells: waiting,
  async cause(recording) {
    await refuse(recording, status);
    await recording.waitUntilTold(waiting);
    await recording.site.repair();
  },
});

const createClose = (name: string, code: number): Fault => ({
  name,
  engines: services,
  // The room has another session within a second.
  tells: null,
  cause: ({ site }) => site.speech({ closeNow: code }),
});

/** Sound is behind that has waited 8 s for its words, and after 8 s without an answer the room opens another stream. */
const createLateAnswers = (seconds: number, words: number): Fault => ({
  name: `provider that answers ${seconds} s late`,
  engines: services,
  words,
  tells: null,
  async cause(recording) {
    // On the way there, and back.
    recording.site.back.set({ delayMs: seconds * 500 }, "provider");
    await recording.waitForSentence(-1);
    recording.site.back.repair();
  },
});

export const providerFaults: readonly Fault[] = [
  createRefusal("provider that refuses sessions (503)", 503),
  createRefusal("provider without a free stream (429)", 429),
  createClose("provider that closes the session (1011)", 1011),
  createClose("provider whose connection breaks", 1006),
  {
    name: "provider that stalls",
    engines: services,
    words: 21,
    tells: waiting,
    async cause(recording) {
      recording.site.back.set({ isHeld: true }, "provider");
      await recording.waitUntilTold(waiting);
      recording.site.back.repair();
    },
  },
  createLateAnswers(4, 18),
  createLateAnswers(12, 30),
  {
    // Shorter ones need more sessions a minute than a free account may open.
    name: "provider whose sessions are limited to 12 s of sound from now on",
    engines: ["Soniox"],
    words: 54,
    tells: null,
    cause: ({ site }) => site.speech({ maxSessionMs: 12_000 }),
  },
  {
    name: "browser's recognition that loses its service",
    engines: ["browser"],
    words: 18,
    tells: ["problem.unreachable"],
    failsAfterMs: 6_000,
    async cause(recording) {
      await recording.waitUntilTold(["problem.unreachable"]);
      const problem = recording.page.getByRole("region", { name: "Speech recognition" });
      await problem.getByRole("button", { name: "Use this site's service" }).click();
      await expect(problem).toBeHidden();
    },
  },
];
