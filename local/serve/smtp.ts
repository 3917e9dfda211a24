import { createTransport } from "nodemailer";
import type { SendMail } from "./mail-service.ts";

/** The worker waits 10 s in all. */
const timeoutMs = 8_000;

/**
 * The mail server at `url`: `smtp://user:password@host:587`, or `smtps://…` where the connection begins encrypted.
 *
 * @param needsTls nothing is sent to a server that cannot encrypt.
 */
export function connectSmtp(url: string, needsTls: boolean) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  const transport = createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (isSecure ? 465 : 587)),
    secure: isSecure,
    requireTLS: needsTls && !isSecure,
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send: SendMail = ({ from, to, subject, html, text }) =>
    transport.sendMail({ from, to, subject, html: html ?? undefined, text: text ?? undefined });
  return { send, verify: () => transport.verify(), close: () => transport.close() };
}
