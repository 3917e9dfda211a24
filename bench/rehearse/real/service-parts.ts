import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createMailService } from "#local/serve/mail-service.ts";
import { servePrivately } from "#local/serve/private-services.ts";
import { connectSmtp } from "#local/serve/smtp.ts";
import { composeMail, type MailType } from "#server/mail/layout.ts";
import mails from "#server/mail/mails.json" with { type: "json" };
import { connectMailer } from "#worker/adapters/resend.ts";
import { connectBilling } from "#worker/adapters/stripe.ts";
import { findGoVersion, installGo, type ProgramPart, programPath } from "./program-part.ts";

/** Services that programs of other authors take the place of. */

const startMs = 20_000;

/** A port of this machine that nothing uses. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Runs a server while `use` does; it answers at `url` first. */
async function withServer<T>(
  [command, ...args]: [string, ...string[]],
  url: string,
  use: () => Promise<T>,
): Promise<T> {
  const child = spawn(command, args, { stdio: "ignore" });
  const ended = once(child, "exit");
  try {
    const end = Date.now() + startMs;
    for (;;) {
      const answer = await fetch(url).catch(() => null);
      await answer?.body?.cancel();
      if (answer !== null) break;
      if (child.exitCode !== null || Date.now() > end) throw new Error(`${command} did not start`);
      await delay(100);
    }
    return await use();
  } finally {
    if (child.kill()) await ended;
  }
}

interface ReceivedMail {
  ID: string;
  Subject: string;
  To: { Address: string }[];
  HTML: string;
  Text: string;
}

export const mailpit: ProgramPart = {
  name: "Mailpit",
  findVersion: () => findGoVersion("mailpit"),
  install: installGo("github.com/axllent/mailpit"),
  tried:
    "each mail of the product, in two languages, by the worker's adapter, the site's mail service and SMTP, one of them twice",
  async run() {
    const [smtp, api] = [await findPort(), await findPort()];
    const url = `http://127.0.0.1:${api}`;
    const read = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
    const args = [`--smtp=127.0.0.1:${smtp}`, `--listen=127.0.0.1:${api}`];
    return withServer(
      [programPath("mailpit"), ...args, "--disable-version-check"],
      `${url}/readyz`,
      async () => {
        const server = connectSmtp(`smtp://127.0.0.1:${smtp}`, false);
        await server.verify();
        const mail = createMailService(server.send);
        const database = { prefixes: [], handle() {}, close: async () => {} };
        const { vars, close } = await servePrivately({ database, mail });
        const { RESEND_URL: baseUrl = "", RESEND_API_KEY: apiKey = "" } = vars;
        const mailer = connectMailer({ baseUrl, apiKey, from: "课译 <no-reply@example.org>" });
        const sent = Object.keys(mails).map((type) => ({
          ...composeMail(type as MailType, {
            email: "zhang.wei@example.org",
            link: `https://example.org/confirm#token=${type}&x=<y>`,
          }),
          to: "zhang.wei@example.org",
          idempotencyKey: randomUUID(),
        }));
        try {
          for (const one of sent) await mailer.send(one);
          if (sent[0]) await mailer.send(sent[0]);
        } finally {
          await close();
          server.close();
        }
        const { messages } = await read<{ messages: ReceivedMail[] }>("/api/v1/messages");
        if (messages.length !== sent.length)
          throw new Error(`${messages.length} mails of ${sent.length}`);
        for (const { ID } of messages) {
          const received = await read<ReceivedMail>(`/api/v1/message/${ID}`);
          const original = sent.find(({ subject }) => subject === received.Subject);
          if (!original) throw new Error(`another subject: ${received.Subject}`);
          for (const [found, wanted] of [
            [received.HTML, original.html],
            [received.Text, original.text],
            [received.To[0]?.Address ?? "", original.to],
          ] as const)
            if (toLines(found) !== toLines(wanted))
              throw new Error(`${received.Subject}: ${found.slice(0, 200)}`);
        }
        return `${sent.length} mails, each once, with their subjects, texts and HTML`;
      },
    );
  },
};

const toLines = (text: string): string => text.replaceAll("\r\n", "\n").trim();

export const stripeMock: ProgramPart = {
  name: "stripe-mock",
  findVersion: () => findGoVersion("stripe-mock"),
  install: installGo("github.com/stripe/stripe-mock"),
  tried: "each call of the worker's adapter, checked against Stripe's own description of its API",
  async run() {
    const port = await findPort();
    const url = `http://127.0.0.1:${port}`;
    return withServer(
      [programPath("stripe-mock"), `-http-addr=127.0.0.1:${port}`],
      url,
      async () => {
        const billing = connectBilling({
          url,
          secretKey: "sk_test_123",
          webhookSecret: "whsec_test",
        });
        const person = { userId: "proof", email: "zhang.wei@example.org" };
        const customerId = await billing.createCustomer({ ...person, key: randomUUID() });
        await billing.findCustomers(person);
        await billing.createCheckout({
          customerId,
          userId: person.userId,
          priceId: "price_pro_month",
          successUrl: "https://example.org/yes",
          cancelUrl: "https://example.org/no",
        });
        await billing.closeCheckouts({ customerId, keepPriceId: null });
        await billing.openPortal({ customerId, returnUrl: "https://example.org/" });
        const [subscription] = await billing.listSubscriptions({ customerId });
        if (!subscription) throw new Error("no subscription was listed");
        await billing.changePrice({ subscription, priceId: "price_pro_year" });
        const ending = { ...subscription, endsAt: new Date(), endsWithPeriod: true };
        for (const cancel of [true, false])
          await billing.setCancelAtPeriodEnd({ subscription: ending, cancel });
        const dated = { ...ending, endsWithPeriod: false };
        await billing.setCancelAtPeriodEnd({ subscription: dated, cancel: false });
        for (const credit of [true, false])
          await billing.cancelNow({ subscriptionId: subscription.id, credit });
        await billing.deleteCustomer({ customerId });
        return "9 kinds of calls were accepted, their answers read";
      },
    );
  },
};
