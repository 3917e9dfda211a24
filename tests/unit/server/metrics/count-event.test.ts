import { expect, it } from "vitest";
import { countEvent } from "#server/metrics/count-event.ts";
import { counters, toIncrements, toSeries } from "#server/metrics/series.ts";
import { errorCodes } from "#shared/errors.ts";

const request = (path: string, status = 200, ms = 70) =>
  countEvent("request", { method: "GET", path, status, ms });

it.each([
  ["/trpc/lectures.list,folders.chips", "library"],
  ["/trpc/lectures.list,lectures.search", "search"],
  ["/trpc/lectures.saveRows", "saving"],
  // Of the version before.
  ["/trpc/lectures.appendEntries", "saving"],
  ["/trpc/ai.translate,lectures.change", "translation"],
  ["/trpc/ask.ask", "model"],
  ["/api/recordings/0190a000-0000-7000-8000-000000000002", "recording"],
  ["/api/health", "other"],
])("a request of %s is of the kind %s", (path, kind) => {
  expect(request(path)).toEqual([
    { name: "dualect_request_duration_seconds", labels: { kind, result: "ok" }, value: 0.07 },
  ]);
});

it.each([
  [50, "0.05"],
  [51, "0.1"],
  [10_000, "10"],
  [10_001, "+Inf"],
])("%i ms are in the bucket up to %s s alone", (ms, le) => {
  const [count] = request("/api/health", 503, ms);
  const labels = 'kind="other",result="failed"';
  expect(count && toIncrements(count)).toEqual([
    [`dualect_request_duration_seconds_bucket{${labels},le="${le}"}`, 1],
    [`dualect_request_duration_seconds_sum{${labels}}`, ms / 1_000],
  ]);
});

it("counts only series that are there from the beginning", () => {
  const known = Object.entries(counters).flatMap(([name, { series }]) =>
    series.map((labels) => toSeries(name, labels)),
  );
  const events = [
    ...["client_refused", "procedure_refused", "procedure_failed", "request"].flatMap((event) =>
      errorCodes.map((code) => [event, { code, path: "/api/recordings/x" }] as const),
    ),
    ...[0, 400, 429, 999, 1000, 1006].flatMap((code) => [
      ["provider_error", { code }] as const,
      ["provider_lost", { code }] as const,
    ]),
    ["allowance_exhausted", {}],
    ["mail_failed", { error: "database", sqlState: "57014" }],
    ["billing_sync_failed", { error: "database", sqlState: null }],
    ["procedure_failed", { code: "internal", procedure: "subscriptions.checkout" }],
    ["procedure_failed", { code: "internal", procedure: "lectures.saveRows" }],
    ["usage_flush_failed", {}],
    ["cron_failed", {}],
  ] as const;
  const counted = events
    .flatMap(([event, fields]) => countEvent(event, fields))
    .filter(({ name }) => name in counters)
    .map(({ name, labels }) => toSeries(name, labels));
  expect(counted.filter((series) => !known.includes(series))).toEqual([]);
  expect(counted.length).toBeGreaterThan(errorCodes.length);
});

it("counts a session that the service ended once, and no usual close", () => {
  expect(countEvent("provider_lost", { code: 503 })).toEqual([]);
  expect(countEvent("provider_lost", { code: 1000 })).toEqual([]);
});
