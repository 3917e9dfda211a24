import { z } from "zod";

const errorTypes = {
  400: { type: "invalid_request", message: "Invalid request." },
  401: { type: "unauthenticated", message: "Incorrect API key provided." },
  402: { type: "balance_exhausted", message: "Organization balance exhausted." },
  408: { type: "request_timeout", message: "Request timeout." },
  413: { type: "max_duration_reached", message: "Audio is too long." },
  429: { type: "limit_exceeded", message: "Limit exceeded." },
  500: { type: "internal_error", message: "The server had an error." },
  503: {
    type: "service_unavailable",
    message: "Cannot continue request (code 1). Please restart the request.",
  },
} as const;
export type ErrorStatus = keyof typeof errorTypes;

/** The service's error frame. */
export function createErrorFrame(status: ErrorStatus, requestId: string, message?: string) {
  const { type, message: usual } = errorTypes[status];
  return {
    tokens: [],
    error_code: status,
    error_type: type,
    error_message: message ?? usual,
    request_id: requestId,
  };
}

const status = z.literal([400, 401, 402, 408, 413, 429, 500, 503]);

/**
 * Body of `POST {prefix}control`. Every field may stand alone; what is not named stays as it is.
 *
 * - `reset`: back to no faults, open sessions stay, and the list of sessions is emptied of ended ones.
 * - `closeNow`: closes every open session with this WebSocket close code; 1006 destroys the sockets.
 * - `errorNow`: sends every open session this error frame and closes it.
 * - `errorOnStart`: answers each new session's start message with this error; null stops that.
 * - `errorTimes`: after so many sessions `errorOnStart` stops by itself.
 * - `silent`: audio is accepted and nothing is ever answered.
 * - `delayMs`: every answer comes so much later.
 * - `slowness`: audio is processed this many times slower than it lasts (1: exactly real time; 0: at once).
 * - `maxSessionMs`: audio after which a session ends with 413 (300 minutes unless set).
 * - `echo`: the recogniser is left out; each audio frame is answered at once with one final token
 *   that holds the frame's number in its session. For benchmarks.
 */
export const failureControl = z.strictObject({
  reset: z.literal(true).optional(),
  closeNow: z.int().min(1000).max(4999).optional(),
  errorNow: status.optional(),
  errorOnStart: status.nullable().optional(),
  errorTimes: z.int().positive().optional(),
  silent: z.boolean().optional(),
  delayMs: z.number().nonnegative().optional(),
  slowness: z.number().nonnegative().optional(),
  maxSessionMs: z.number().positive().optional(),
  echo: z.boolean().optional(),
});
export type FailureControl = z.infer<typeof failureControl>;

const sessionLimitMs = 300 * 60_000;

/** The faults in force. Sessions read them at each step, so a change applies at once. */
export class FailureSettings {
  silent = false;
  delayMs = 0;
  slowness = 0;
  maxSessionMs = sessionLimitMs;
  echo = false;
  private errorOnStart: ErrorStatus | null = null;
  private errorsLeft = Number.POSITIVE_INFINITY;

  apply(control: FailureControl): void {
    if (control.reset) Object.assign(this, new FailureSettings());
    if (control.errorOnStart !== undefined) {
      this.errorOnStart = control.errorOnStart;
      this.errorsLeft = Number.POSITIVE_INFINITY;
    }
    if (control.errorTimes !== undefined) this.errorsLeft = control.errorTimes;
    this.silent = control.silent ?? this.silent;
    this.delayMs = control.delayMs ?? this.delayMs;
    this.slowness = control.slowness ?? this.slowness;
    this.maxSessionMs = control.maxSessionMs ?? this.maxSessionMs;
    this.echo = control.echo ?? this.echo;
  }

  /** The error that a session which starts now must be given, or null. Counts it. */
  takeStartError(): ErrorStatus | null {
    if (this.errorOnStart === null || this.errorsLeft <= 0) return null;
    this.errorsLeft--;
    return this.errorOnStart;
  }
}
