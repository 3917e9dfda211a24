import * as z from "zod";
import type { ChallengeVerifier } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";

const answerTimeoutMs = 5_000;
const attempts = 2;
const retryAfterSeconds = 30;

const responseSchema = z.object({
  success: z.boolean(),
  "error-codes": z.array(z.string()).default([]),
  hostname: z.string().optional(),
  action: z.string().optional(),
});
type SiteverifyResponse = z.infer<typeof responseSchema>;

/** Cloudflare Turnstile's siteverify, or whatever speaks its protocol at `url`. */
export function connectTurnstile({
  url,
  secretKey,
}: {
  url: string;
  secretKey: string;
}): ChallengeVerifier {
  /** What siteverify said; null when it said nothing that can be used. */
  async function callSiteverify(
    fields: Record<string, string>,
  ): Promise<SiteverifyResponse | null> {
    try {
      const response = await fetch(`${url}/siteverify`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ secret: secretKey, ...fields }),
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      // A refusal has a status of its own, and the same JSON.
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
        // The same key again is the same verification: the second attempt is not refused as spent.
        idempotency_key: crypto.randomUUID(),
        ...(remoteAddress === null ? {} : { remoteip: remoteAddress }),
      };
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const said = await callSiteverify(fields);
        if (!said) continue;
        const wrongSecret = said["error-codes"].find((code) => code.endsWith("-input-secret"));
        if (wrongSecret)
          throw new AppError("unavailable", {
            detail: `turnstile: ${wrongSecret}`,
            retryAfterSeconds,
          });
        return said.success && said.action === action && said.hostname === hostname;
      }
      throw new AppError("unavailable", { detail: "turnstile: no answer", retryAfterSeconds });
    },
  };
}
