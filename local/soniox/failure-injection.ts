import { z } from "zod";
import { type SpokenLanguage, spokenLanguages } from "#shared/languages.ts";
import { defaultHearing, type HearingSettings, hearingControl } from "./hearing.ts";

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

/**
 * The error message that the service sends before it closes. `type`: of a kind of the status that has a name of its own.
 *
 * Source: https://soniox.com/docs/api-reference/errors
 */
export function createErrorFrame(
  status: ErrorStatus,
  requestId: string,
  message: string = errorTypes[status].message,
  type: string = errorTypes[status].type,
) {
  return {
    tokens: [],
    error_code: status,
    error_type: type,
    error_message: message,
    more_info: `https://soniox.com/docs/api-reference/errors#${type.replaceAll("_", "-")}`,
    request_id: requestId,
  };
}

const status = z.literal([400, 401, 402, 408, 413, 429, 500, 503]);

/**
 * Body of `POST /soniox/control`. Every field is optional; settings that are not named stay as they are.
 *
 * - `reset`: removes all failures and forgets ended sessions; open sessions stay.
 * - `closeNow`: closes every open session with this WebSocket close code; 1006 destroys the sockets.
 * - `errorNow`: sends this error to every open session and closes it.
 * - `errorOnStart`: answers the start message of new sessions with this error; null ends that.
 * - `errorTimes`: the number of sessions that `errorOnStart` applies to.
 * - `maxSessionMs`: audio after which a session ends with 413 (default: 300 minutes).
 * - `pace`: sound that a session may get, in times real time (default: 150), beyond half a minute at once. More is a
 *   prolonged burst, which ends it with 503.
 * - `echo`: see `echo.ts`. For benchmarks.
 * - `refusedTargets`: languages into which it does not translate: a start message that wants that is refused with 400.
 * - `script`, `confusions`, `thirdLanguage`: see `hearing.ts`.
 */
export const failureControl = z.strictObject({
  reset: z.literal(true).optional(),
  closeNow: z.int().min(1000).max(4999).optional(),
  errorNow: status.optional(),
  errorOnStart: status.nullable().optional(),
  errorTimes: z.int().positive().optional(),
  maxSessionMs: z.number().positive().optional(),
  pace: z.number().positive().optional(),
  echo: z.boolean().optional(),
  refusedTargets: z.array(z.enum(spokenLanguages)).optional(),
  ...hearingControl,
});

/** The failures in force. Sessions read them at each step, so a change applies immediately. */
export interface FailureSettings extends HearingSettings {
  maxSessionMs: number;
  pace: number;
  echo: boolean;
  refusedTargets: readonly SpokenLanguage[];
  errorOnStart: ErrorStatus | null;
  errorTimes: number;
}

export const noFailures: FailureSettings = {
  maxSessionMs: 300 * 60_000,
  pace: 150,
  echo: false,
  refusedTargets: [],
  errorOnStart: null,
  errorTimes: Number.POSITIVE_INFINITY,
  ...defaultHearing,
};
