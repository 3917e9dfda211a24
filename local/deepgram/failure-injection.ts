import { z } from "zod";
import { defaultHearing, type HearingSettings, hearingControl } from "#local/soniox/hearing.ts";

const refusals = {
  400: { err_code: "Bad Request", err_msg: "The request is not valid." },
  401: { err_code: "INVALID_AUTH", err_msg: "Invalid credentials." },
  402: { err_code: "ASR_PAYMENT_REQUIRED", err_msg: "Project does not have enough credits." },
  429: { err_code: "TOO_MANY_REQUESTS", err_msg: "Too many requests. Please try again later." },
  500: { err_code: "INTERNAL_SERVER_ERROR", err_msg: "The server had an error." },
  503: { err_code: "SERVICE_UNAVAILABLE", err_msg: "The service is not available." },
} as const;
export type RefusalStatus = keyof typeof refusals;

/** The body of a refused upgrade. */
export const createRefusal = (status: RefusalStatus, requestId: string) => ({
  ...refusals[status],
  request_id: requestId,
});

/**
 * Body of `POST /deepgram/control`. Every field is optional; settings that are not named stay as they are.
 *
 * - `reset`: removes all failures and forgets ended sessions; open sessions stay.
 * - `closeNow`: closes every open session with this WebSocket close code; 1006 destroys the sockets.
 * - `refuseWith`: answers upgrades with this status; null ends that.
 * - `refuseTimes`: the number of upgrades that `refuseWith` applies to.
 * - `ignoreFinalize`: does not answer `Finalize`, whatever audio there is.
 * - `whisperLiveKit`: does what WhisperLiveKit does since August 2026 and the service does not: a stream begins with
 *   `Metadata`, `Finalize` is answered with an error and a close with 4400, and results are those of
 *   `WhisperLiveKitWriter`: none in silence.
 * - `lateMs`: recognises sound so long after it has come, as a machine that is busy. After `CloseStream` it goes on, a
 *   second of sound each few ms.
 * - `deafAfterMs`: a stream hears nothing of the sound after so much, and does not count it at its end, as where its decoder
 *   has failed; null ends that.
 * - `silent`: accepts audio and sends no answers.
 * - `refuseKeyterms`: answers upgrades with keyterms with 400, and `Configure` with a failure.
 * - `script`, `confusions`: see `local/soniox/hearing.ts`.
 */
export const failureControl = z.strictObject({
  reset: z.literal(true).optional(),
  closeNow: z.int().min(1000).max(4999).optional(),
  refuseWith: z.literal([400, 401, 402, 429, 500, 503]).nullable().optional(),
  refuseTimes: z.int().positive().optional(),
  ignoreFinalize: z.boolean().optional(),
  whisperLiveKit: z.boolean().optional(),
  lateMs: z.int().nonnegative().optional(),
  deafAfterMs: z.int().positive().nullable().optional(),
  silent: z.boolean().optional(),
  refuseKeyterms: z.boolean().optional(),
  ...hearingControl,
});

/** The failures in force. Sessions read them at each step, so a change applies immediately. */
export interface FailureSettings extends HearingSettings {
  refuseKeyterms: boolean;
  silent: boolean;
  refuseWith: RefusalStatus | null;
  refuseTimes: number;
  ignoreFinalize: boolean;
  whisperLiveKit: boolean;
  lateMs: number;
  deafAfterMs: number | null;
}

export const noFailures: FailureSettings = {
  silent: false,
  refuseWith: null,
  refuseTimes: Number.POSITIVE_INFINITY,
  ignoreFinalize: false,
  whisperLiveKit: false,
  lateMs: 0,
  deafAfterMs: null,
  refuseKeyterms: false,
  ...defaultHearing,
};
