import { Resend } from "resend";
import type { Mailer } from "#server/ports.ts";

const answerTimeoutMs = 5_000;
const attempts = 2;

/** A mail that the service did not accept. Holds only name and status, because the message may repeat the address. */
class MailError extends Error {
  override readonly name = "MailError";
}

export interface MailSettings {
  baseUrl: string;
  apiKey: string;
  /** The sender. */
  from: string;
}

/** Resend, or whatever speaks its protocol at `baseUrl`. */
export function connectMailer({ baseUrl, apiKey, from }: MailSettings): Mailer {
  const resend = new Resend(apiKey, { baseUrl });

  return {
    async send({ to, subject, html, text, idempotencyKey }) {
      let failure = "no attempt";
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const { data, error } = await resend.emails
          .send(
            { from, to, subject, html, text },
            { idempotencyKey, signal: AbortSignal.timeout(answerTimeoutMs) },
          )
          .catch(() => ({ data: null, error: { name: "no answer", statusCode: null } }));
        if (data) return;
        failure = `${error?.name ?? "no answer"}, status ${error?.statusCode ?? "none"}`;
        const { statusCode } = error ?? { statusCode: null };
        // The idempotency key makes a second attempt safe.
        if (statusCode !== null && statusCode < 500) break;
      }
      throw new MailError(failure);
    },
  };
}
