import { parseJson, readBody, sendJson } from "#local/json-body.ts";
import { createApiError, type EmailRequest, parseEmail } from "#local/mail/wire.ts";
import { type StandIn, trackRequests } from "#local/stand-in.ts";

const prefix = "/mail/";
const maxBytes = 1024 * 1024;
/** As many keys are remembered. The worker repeats a mail within seconds, and its service keeps keys for a day. */
const maxKeys = 10_000;

/** Hands a mail over to the mail server; rejects unless that has accepted it. */
export type SendMail = (mail: EmailRequest) => Promise<unknown>;

/**
 * Resend's `POST /emails`, as far as the worker uses it, in front of a mail server. A mail whose key is known is not sent
 * again: its second request gets the first one's outcome.
 */
export function createMailService(sendMail: SendMail): StandIn {
  const sent = new Map<string, Promise<unknown>>();

  function sendOnce(mail: EmailRequest, key: string | undefined): Promise<unknown> {
    const earlier = key === undefined ? undefined : sent.get(key);
    if (earlier) return earlier;
    const sending = sendMail(mail);
    if (key === undefined) return sending;
    sent.set(key, sending);
    const [oldest] = sent.keys();
    if (sent.size > maxKeys && oldest !== undefined) sent.delete(oldest);
    // What was not accepted may be tried again.
    sending.catch(() => sent.delete(key));
    return sending;
  }

  return {
    prefixes: [prefix],
    ...trackRequests(async (request, response) => {
      if (request.method !== "POST" || request.url !== `${prefix}emails`)
        return sendJson(response, 404, createApiError(404, "not_found", "Not found."));
      const mail = parseEmail(parseJson(await readBody(request, maxBytes)));
      if ("statusCode" in mail) return sendJson(response, mail.statusCode, mail);
      const key = request.headers["idempotency-key"];
      try {
        await sendOnce(mail, typeof key === "string" ? key : undefined);
        sendJson(response, 200, { id: key ?? "sent" });
      } catch (error) {
        const name = toErrorName(error);
        // The message may repeat the address.
        sendJson(response, 502, createApiError(502, name, "The mail server did not accept it."));
      }
    }, new AbortController()),
  };
}

/** For example `smtp_EAUTH_535`: what the library and the server call it. */
export function toErrorName(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  return ["smtp", code, responseCode].filter((part) => part !== undefined).join("_");
}
