import { countHourlyCalls, type Figure, limits, measured, prices } from "./scale/figures.ts";
import { simulateStarts } from "./scale/starts.ts";

/**
 * `npm run bench:scale`: what 10,000 recordings at once, 300,000 readers and a university of 40,000 accounts need, which
 * limit comes first, and what an hour costs. It computes from measured costs and limits that are documented, and
 * simulates a full hour at which lectures begin; nothing is started. docs/scaling.md explains the results.
 *
 * `--smoke` simulates fewer recordings. Fails if openings that are paced exceed the limit, or leave recordings without a
 * stream for which there was time.
 */
/** Of 50: a time is given for 65 s, and the first lectures begin some minutes later. */
const usedMinutes = 40;
const isSmoke = process.argv.includes("--smoke");

function print(
  title: string,
  head: readonly string[],
  lines: readonly (readonly (string | number)[])[],
) {
  const toLine = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  console.log(
    [`\n${title}\n`, toLine(head), toLine(head.map(() => "---")), ...lines.map(toLine)].join("\n"),
  );
}

const round = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : Number(value.toPrecision(2));
const v = ({ value }: Figure) => value;

const recordings = isSmoke ? 500 : 10_000;
const readers = 300_000;
const hourly = countHourlyCalls();

const tripsASecond = (recordings * hourly.roundTrips) / 3_600;
const shares = readers / v(limits.shareReaders);
const standard = v(limits.sonioxOpens);
const sites = [standard, 10 * standard, recordings / 3].flatMap((opensAMinute) =>
  [false, true].map((isPaced) => ({ streams: recordings * 2, opensAMinute, isPaced })),
);
const starts = sites.map((site) => ({ ...site, ...simulateStarts(recordings, site) }));
/** Openings that are paced exceed no limit, and in 50 minutes few of their times are left unused. */
const faults = starts.filter(
  ({ isPaced, opened, opensAMinute, busiestMinute }) =>
    isPaced &&
    (busiestMinute > opensAMinute || opened < Math.min(recordings, usedMinutes * opensAMinute)),
);
const busiest = Math.max(...starts.map(({ busiestMinute }) => busiestMinute));

const needs: [what: string, need: number, limit: Figure][] = [
  [`${recordings} recordings: streams of the service`, recordings, limits.sonioxStreams],
  [
    `${recordings} recordings that begin at a full hour: streams opened in a minute`,
    busiest,
    limits.sonioxOpens,
  ],
  [
    `${recordings} recordings: cores of the database`,
    (tripsASecond * v(measured.tripMs)) / 1_000,
    limits.neonUnits,
  ],
  [
    `${recordings} recordings: statements at once`,
    (tripsASecond * v(measured.tripMs)) / 1_000,
    limits.neonConnections,
  ],
  [
    `${readers} readers in ${shares} shares: MB of an object`,
    (v(limits.shareReaders) * v(measured.readerMemory)) / 1_024,
    limits.objectMemory,
  ],
  [
    "a share of 1,000 readers: seconds of its object's thread in a minute",
    (v(limits.shareReaders) * v(measured.readerCpu)) / 1_000,
    { value: 60, unit: "s a minute", source: "one thread" },
  ],
];
print(
  "Which limit comes first",
  ["what", "need", "limit", "need / limit", "source of the limit"],
  needs
    .map(([what, need, limit]) => ({ what, need, limit, ratio: need / limit.value }))
    .sort((a, b) => b.ratio - a.ratio)
    .map(({ what, need, limit, ratio }) => [
      what,
      round(need),
      `${round(limit.value)} ${limit.unit}`,
      round(ratio),
      limit.source,
    ]),
);

print(
  `${recordings} lectures that begin at a full hour`,
  [
    "streams opened a minute, at most",
    "paced",
    "have a stream after 50 minutes",
    "wait p50, s",
    "wait p95, s",
    "overtaken",
    "busiest minute",
  ],
  starts.map(({ opensAMinute, isPaced, opened, p50, p95, overtaken, busiestMinute }) => [
    round(opensAMinute),
    isPaced ? "yes" : "no",
    round(opened),
    round(p50),
    round(p95),
    round(overtaken),
    round(busiestMinute),
  ]),
);

print(
  "Calls of a recorded hour that the site translates",
  [
    "translations",
    "translations of a sentence that is spoken",
    "saves",
    "ledger writes",
    "round trips to the database",
  ],
  [Object.values(hourly).map(round)],
);

const objectHour = (3_600 * 0.128 * v(prices.objectDuration)) / 1e6;
const received = 3_600_000 / v(measured.chunkMs) + 3_600 * v(measured.providerMessages);
const messages = (received / v(prices.messagesARequest) / 1e6) * v(prices.objectRequests);
const database = ((hourly.roundTrips * v(measured.tripMs)) / 3_600_000) * v(prices.neonUnitHour);
print(
  "What an hour costs, $",
  ["", "speech service", "object: time in memory", "object: messages", "database: time", "sum"],
  [
    ["recorded, without the model", v(prices.soniox), objectHour, messages, database],
    ["read, one of 30 readers", 0, objectHour / 30, 0, 0],
    ["read, one of 1,000 readers", 0, objectHour / 1_000, 0, 0],
  ].map(([name, ...costs]) => [
    String(name),
    ...[...costs, costs.reduce<number>((sum, cost) => sum + Number(cost), 0)].map((cost) =>
      Number(Number(cost).toPrecision(2)),
    ),
  ]),
);

const term = { accounts: 40_000, recorders: 0.4, lecturesAWeek: 12, weeks: 15 };
const lectures = term.accounts * term.recorders * term.lecturesAWeek * term.weeks;
const toGb = (kb: number) => (lectures * kb) / 1e6;
const storedGb = toGb(v(measured.rowsKb) + v(measured.passagesKb) + v(measured.indexKb));
const daily = lectures / (term.weeks * 5);
print(
  `A university: ${term.accounts} accounts, ${100 * term.recorders} % record ${term.lecturesAWeek} lectures a week for ${term.weeks} weeks`,
  [
    "lectures",
    "rows, millions",
    "rows, GB",
    "passages' words, GB",
    "index of words, GB",
    "$ a month for storage",
    "passages a day",
    "hours of one indexer a day",
  ],
  [
    [
      lectures,
      (lectures * 375) / 1e6,
      toGb(v(measured.rowsKb)),
      toGb(v(measured.passagesKb)),
      toGb(v(measured.indexKb)),
      storedGb * v(prices.neonStorage),
      daily * v(measured.passages),
      (daily * v(measured.passages)) / v(measured.passagesASecond) / 3_600,
    ].map(round),
  ],
);

if (faults.length > 0)
  throw new Error(
    `Not as it should be: ${faults.map(({ opensAMinute }) => `${opensAMinute} a minute`).join(", ")}`,
  );
