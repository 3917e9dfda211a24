import * as z from "zod";
import type { ChallengeVerifier } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import type { Env } from "#worker/env.ts";

const answerTimeoutMs = 5_000;
const attempts = 2;
const retryAfterSeconds = 30;

const responseSchema = z.object({
  success: z.boolean(),
  "error-codes": z.array(z.string()).default([]),
  hostname: z.string().optional(),
  action: z.string().optional(),
});

/** Cloudflare Turnstile's siteverify, or whatever speaks its protocol at `url`. */
export function connectTurnstile({
  url,
  secretKey,
}: Pick<NonNullable<Env["turnstile"]>, "url" | "secretKey">): ChallengeVerifier {
  /** Calls siteverify; null without a usable answer. */
  async function callSiteverify(fields: Record<string, string>) {
    try {
      const response = await fetch(`${url}/siteverify`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ secret: secretKey, ...fields }),
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      // A failed verification has another status, and the same JSON.
      const parsed = responseSchema.safeParse(await response.json());
      if (!parsed.success || parsed.data["error-codes"].includes("internal-error")) return null;
      return parsed.data;
    } catch {
      return null;
    }
  }

  return {
    async verify({ token, action, hostname, remoteAddress }) {
      const fields = {
        response: token,
        // The key identifies the verification, so a retry is not rejected as a spent token.
        idempotency_key: crypto.randomUUID(),
        ...(remoteAddress === null ? {} : { remoteip: remoteAddress }),
      };
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const response = await callSiteverify(fields);
        if (!response) continue;
        const wrongSecret = response["error-codes"].find((code) => code.endsWith("-input-secret"));
        if (wrongSecret)
          throw new AppError("unavailable", {
            detail: `turnstile: ${wrongSecret}`,
            retryAfterSeconds,
          });
        return response.success && response.action === action && response.hostname === hostname;
      }
      throw new AppError("unavailable", { detail: "turnstile: no answer", retryAfterSeconds });
    },
  };
}
