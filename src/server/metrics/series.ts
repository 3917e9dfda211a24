import { errorCodes } from "#shared/errors.ts";

/** The metrics that are counted where something happens, with all values of their labels: none names a person. */

export type Labels = Readonly<Record<string, string>>;

/** One thing that has happened: `value` is how many, or for a histogram how much. */
export interface Count {
  name: CounterName | HistogramName;
  labels: Labels;
  value: number;
}

interface Counter {
  help: string;
  /** Every series: a counter that begins with its first increment would hide it from `increase()`. */
  series: readonly Labels[];
}

const list = (label: string, values: readonly string[], others: Labels = {}): Labels[] =>
  values.map((value) => ({ ...others, [label]: value }));

/** Error codes of the speech service, sockets that closed, and sessions that did not open or fell silent. */
export const speechErrorKinds = [
  "400",
  "401",
  "402",
  "408",
  "413",
  "429",
  "500",
  "503",
  "closed",
  "no_answer",
  "other",
] as const;

export const counters = {
  dualect_recorded_seconds_total: {
    help: "Recorded sound that was written to the ledger.",
    series: list("payer", ["user", "guest"]),
  },
  dualect_recordings_refused_total: {
    help: "Recordings that were refused or ended by an error, by its code.",
    series: list("code", errorCodes),
  },
  dualect_calls_refused_total: {
    help: "Procedures that answered with an error, by its code.",
    series: list("code", errorCodes),
  },
  dualect_provider_errors_total: {
    help: "Errors of outside services. The speech service's 413 is the usual end of a long session.",
    series: [
      ...list("kind", speechErrorKinds, { provider: "speech" }),
      ...list("kind", ["rate_limited", "failed"], { provider: "model" }),
      ...list("kind", ["no_answer", "statement"], { provider: "database" }),
      ...list("kind", ["failed"], { provider: "mail" }),
      ...list("kind", ["failed"], { provider: "payments" }),
    ],
  },
  dualect_saves_failed_total: {
    help: "Saves that pages or rooms have to repeat: rows of lectures, and recorded time.",
    series: list("what", ["rows", "time"]),
  },
  dualect_cron_failures_total: {
    help: "Hourly jobs that failed; the others ran.",
    series: [{}],
  },
} as const satisfies Record<string, Counter>;
type CounterName = keyof typeof counters;

export const histograms = {
  dualect_request_duration_seconds: {
    help: "Time until an answer began, by kind of request and by result.",
    /** Upper ends, s. */
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
  },
} as const;
type HistogramName = keyof typeof histograms;

const isHistogram = (name: Count["name"]): name is HistogramName => name in histograms;

/** A series as text: `name{label="value"}`. Values come from the lists above and need no escapes. */
export function toSeries(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join()}}`;
}

/** The series that a count adds to, with what is added. A bucket counts only values above the bucket before it. */
export function toIncrements({ name, labels, value }: Count): [series: string, amount: number][] {
  if (!isHistogram(name)) return [[toSeries(name, labels), value]];
  const le = histograms[name].buckets.find((end) => value <= end) ?? "+Inf";
  return [
    [toSeries(`${name}_bucket`, { ...labels, le: String(le) }), 1],
    [toSeries(`${name}_sum`, labels), value],
  ];
}
