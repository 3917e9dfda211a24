import type { OpeningQueue } from "#server/recording/opening-pace.ts";
import type { Gauges } from "./read-gauges.ts";
import { counters, histograms, type Labels, toSeries } from "./series.ts";

/** What the site's counter knows; see `SiteMetrics`. */
export interface SiteCounts {
  /** By series, as `toIncrements` names them. */
  counts: Record<string, number>;
  /** Since when everything is counted, ms since the epoch. */
  startedAt: number;
  /** Last success of each hourly job, ms since the epoch. */
  cronRuns: Record<string, number>;
}

export interface MetricsInput extends SiteCounts {
  /** Of the deployed worker. */
  version: string | null;
  /** Null if the database does not answer. */
  gauges: Gauges | null;
  queue: OpeningQueue;
  limits: {
    /** Streams of the speech service; null for no limit. */
    streams: number | null;
    /** Characters a day. */
    model: { site: number; guests: number };
  };
}

type Sample = [labels: Labels, value: number];

/** Everything in Prometheus' text format (version 0.0.4). */
export function formatMetrics(input: MetricsInput): string {
  const families = [...listGauges(input), ...formatCounters(input), ...formatHistograms(input)];
  return `${families.join("\n")}\n`;
}

const formatFamily = (name: string, type: string, help: string, lines: readonly string[]) =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");

const formatGauge = (name: string, help: string, samples: readonly Sample[]) =>
  formatFamily(
    name,
    "gauge",
    help,
    samples.map(([labels, value]) => `${toSeries(name, labels)} ${value}`),
  );

function listGauges({ gauges, queue, limits, ...site }: MetricsInput): string[] {
  const budgets = ["site", "guests"] as const;
  return [
    formatGauge("dualect_info", "The version of the worker.", [
      [{ version: site.version ?? "" }, 1],
    ]),
    formatGauge(
      "dualect_counting_since_timestamp_seconds",
      "When the counters below began at 0: they go on over deployments.",
      [[{}, site.startedAt / 1_000]],
    ),
    formatGauge("dualect_database_up", "1 if the database has answered this request.", [
      [{}, gauges ? 1 : 0],
    ]),
    formatGauge(
      "dualect_cron_last_success_timestamp_seconds",
      "Last success of each hourly job; before the first one, when it was waited for.",
      Object.entries(site.cronRuns).map(([job, at]) => [{ job }, at / 1_000]),
    ),
    formatGauge(
      "dualect_openings_waiting",
      "Rooms that wait to open a session of the speech service.",
      [[{}, queue.waiting]],
    ),
    formatGauge("dualect_openings_wait_seconds", "How long the last of them waits from now on.", [
      [{}, queue.longestWaitMs / 1_000],
    ]),
    ...(limits.streams === null
      ? []
      : [
          formatGauge("dualect_speech_streams_limit", "SONIOX_STREAMS or DEEPGRAM_STREAMS.", [
            [{}, limits.streams],
          ]),
        ]),
    ...(gauges === null
      ? []
      : [
          formatGauge("dualect_recordings_open", "Recordings that take capacity now.", [
            [{ payer: "user" }, gauges.openRecordings.user],
            [{ payer: "guest" }, gauges.openRecordings.guest],
          ]),
          formatGauge(
            "dualect_segments_behind",
            "Open segments of the ledger that were not written for six minutes.",
            [[{}, gauges.segmentsBehind]],
          ),
          formatGauge("dualect_webhook_messages_waiting", "Messages that have not arrived.", [
            [{}, gauges.webhooks.waiting],
          ]),
          formatGauge(
            "dualect_webhooks_overdue_seconds",
            "How long the oldest due message waits.",
            [[{}, gauges.webhooks.overdueSeconds]],
          ),
          formatGauge("dualect_webhooks_disabled", "Webhooks that have failed too often.", [
            [{}, gauges.webhooks.disabled],
          ]),
          formatGauge(
            "dualect_model_budget_used_ratio",
            "Used part of the day's characters (UTC), 0 to 1.",
            budgets.map((budget) => [
              { budget },
              limits.model[budget] === 0
                ? 0
                : gauges.modelCharacters[budget] / limits.model[budget],
            ]),
          ),
        ]),
  ];
}

const formatCounters = ({ counts }: SiteCounts): string[] =>
  Object.entries(counters).map(([name, { help, series }]) =>
    formatFamily(
      name,
      "counter",
      help,
      series.map((labels) => toSeries(name, labels)).map((text) => `${text} ${counts[text] ?? 0}`),
    ),
  );

/** Prometheus' buckets count everything up to their ends, ours only what is above the one before. */
function formatHistograms({ counts }: SiteCounts): string[] {
  return Object.entries(histograms).map(([name, { help, buckets }]) => {
    const sums = Object.keys(counts).filter((series) => series.startsWith(`${name}_sum`));
    const lines = sums.toSorted().flatMap((sum) => {
      const labels = sum.slice(`${name}_sum{`.length, -1);
      let total = 0;
      const upTo = [...buckets, "+Inf"].map((end) => {
        const series = `${name}_bucket{${labels},le="${end}"}`;
        total += counts[series] ?? 0;
        return `${series} ${total}`;
      });
      return [...upTo, `${sum} ${counts[sum]}`, `${name}_count{${labels}} ${total}`];
    });
    return formatFamily(name, "histogram", help, lines);
  });
}
