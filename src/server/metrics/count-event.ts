import type { LogFields } from "#server/ports.ts";
import { isErrorCode } from "#shared/errors.ts";
import { type Count, speechErrorKinds } from "./series.ts";

/** Which metrics an event of the log adds to: what is counted is what is logged. */
export function countEvent(event: string, fields: LogFields = {}): Count[] {
  const counts = countByName(event, fields);
  if (fields.error === "database") {
    const kind = typeof fields.sqlState === "string" ? "statement" : "no_answer";
    counts.push(toProviderError("database", kind));
  }
  return counts;
}

function countByName(event: string, fields: LogFields): Count[] {
  switch (event) {
    case "request":
      return countRequest(fields);
    case "procedure_refused":
    case "procedure_failed":
      return countProcedure(event, fields);
    case "client_refused":
      return countRefusal(fields.code);
    case "allowance_exhausted":
      return countRefusal(event);
    case "provider_error":
      return [toProviderError("speech", toSpeechKind(fields.code))];
    case "provider_lost":
      return countLostSession(Number(fields.code));
    case "usage_flush_failed":
      return [{ name: "dualect_saves_failed_total", labels: { what: "time" }, value: 1 }];
    case "mail_failed":
      return [toProviderError("mail", "failed")];
    case "billing_sync_failed":
    case "plan_recheck_failed":
      return [toProviderError("payments", "failed")];
    case "cron_failed":
      return [{ name: "dualect_cron_failures_total", labels: {}, value: 1 }];
    default:
      return [];
  }
}

export const toProviderError = (provider: string, kind: string): Count => ({
  name: "dualect_provider_errors_total",
  labels: { provider, kind },
  value: 1,
});

const recordingsPath = "/api/recordings/";

function countRequest({ path, status, ms, code }: LogFields): Count[] {
  const kind = getRequestKind(String(path));
  const result = Number(status) >= 500 ? "failed" : Number(status) >= 400 ? "refused" : "ok";
  const name = "dualect_request_duration_seconds";
  return [
    { name, labels: { kind, result }, value: Number(ms) / 1_000 },
    ...(String(path).startsWith(recordingsPath) ? countRefusal(code) : []),
  ];
}

/** Writes of lectures, whose failures leave text unsaved. */
const savingProcedure = /^lectures\.(appendEntries|change|complete|create|saveRows)$/;

/** A batch is of the kind that takes longest in it. */
const kinds: readonly [kind: string, pattern: RegExp][] = [
  ["translation", /^ai\.translate/],
  ["model", /^(ai|ask)\./],
  ["search", /^lectures\.search$/],
  ["saving", savingProcedure],
];

/** Of `kinds`, or `recording`, `library` or `other`. */
function getRequestKind(path: string): string {
  if (path.startsWith(recordingsPath)) return "recording";
  const [, procedures] = /^\/trpc\/(.*)$/.exec(path) ?? [];
  if (procedures === undefined) return "other";
  const called = procedures.split(",");
  const found = kinds.find(([, pattern]) => called.some((procedure) => pattern.test(procedure)));
  return found?.[0] ?? "library";
}

const countRefusal = (code: unknown): Count[] =>
  isErrorCode(code)
    ? [{ name: "dualect_recordings_refused_total", labels: { code }, value: 1 }]
    : [];

function countProcedure(event: string, { procedure, code }: LogFields): Count[] {
  if (!isErrorCode(code)) return [];
  const name = String(procedure);
  const counts: Count[] = [{ name: "dualect_calls_refused_total", labels: { code }, value: 1 }];
  const hasFailed = event === "procedure_failed";
  if (savingProcedure.test(name) && (hasFailed || code === "rate_limited"))
    counts.push({ name: "dualect_saves_failed_total", labels: { what: "rows" }, value: 1 });
  if (hasFailed && name.startsWith("subscriptions."))
    counts.push(toProviderError("payments", "failed"));
  return counts;
}

const toSpeechKind = (code: unknown): string =>
  speechErrorKinds.find((kind) => kind === String(code)) ?? "other";

/** `code`: of the error that was counted before, of the socket (1000 is usual after a stop), or 0 without an answer. */
function countLostSession(code: number): Count[] {
  if (code === 0) return [toProviderError("speech", "no_answer")];
  return code > 1000 ? [toProviderError("speech", "closed")] : [];
}
