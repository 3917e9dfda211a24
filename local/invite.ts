import { createInvitationLink } from "#server/auth/invitations.ts";
import { composeMail } from "#server/mail/layout.ts";
import { credentials } from "#shared/account.ts";
import { readServeSettings } from "./serve/settings.ts";
import { connectSmtp } from "./serve/smtp.ts";

/**
 * `npm run invite -- ADDRESS …`: prints for each address the link with which its owner can create an account, or sends it
 * there with `--mail`.
 */
try {
  const flags = process.argv.slice(2);
  const addresses = flags.filter((one) => one !== "--mail");
  if (addresses.length === 0) throw new Error("Whom? npm run invite -- [--mail] ADDRESS …");
  const emails = addresses.map((address) => {
    const { data } = credentials.shape.email.safeParse(address);
    if (data === undefined) throw new Error(`${address} is no e-mail address.`);
    return data.toLowerCase();
  });
  const settings = readServeSettings(process.env);
  const { GUEST_TICKET_SECRET: secret = "", MAIL_FROM: from = "" } = settings.vars;
  const smtp =
    flags.includes("--mail") && settings.SMTP_URL
      ? connectSmtp(settings.SMTP_URL, settings.smtpNeedsTls)
      : null;
  if (flags.includes("--mail") && !smtp) throw new Error("--mail needs SMTP_URL.");
  for (const email of emails) {
    const link = createInvitationLink({ secret, origin: settings.origin, now: new Date() }, email);
    await smtp?.send({ from, to: [email], ...composeMail("invitation", { email, link }) });
    console.log(smtp ? `Sent to ${email}` : `${email}\n  ${link}`);
  }
  smtp?.close();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
