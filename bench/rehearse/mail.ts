import { randomUUID } from "node:crypto";
import { connectMailer } from "#worker/adapters/resend.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { recordCalls } from "./record-fetch.ts";
import { type RehearsedService, type Side, wrongKey } from "./service.ts";

const vocabulary = new Set(["statusCode", "name"]);
/** Resend's own address for tests: it takes a mail and shows it to nobody. */
const testAddress = "delivered@resend.dev";

interface Letter {
  to?: string;
  subject?: string;
  idempotencyKey?: string;
}

async function send(
  { settings }: Side,
  name: string,
  { mail = {}, ...letter }: Letter & { mail?: Partial<Side["settings"]["mail"]> },
): Promise<Exchange> {
  const mailer = connectMailer({ ...settings.mail, ...mail });
  let outcome = "accepted";
  const answers = await recordCalls(() =>
    mailer
      .send({
        to: testAddress,
        subject: "A rehearsal",
        html: "<p>Nothing to do.</p>",
        text: "Nothing to do.",
        idempotencyKey: randomUUID(),
        ...letter,
      })
      .catch((error: Error) => {
        outcome = error.message;
      }),
  );
  return createExchange(name, answers, vocabulary, { facts: { "the adapter reads": outcome } });
}

/** A request that the adapter never sends. */
async function sendWithoutSubject({ settings: { mail } }: Side): Promise<Exchange> {
  const answers = await recordCalls(() =>
    fetch(`${mail.baseUrl}/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${mail.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ from: mail.from, to: testAddress, text: "Nothing to do." }),
    }),
  );
  return createExchange("a mail without a subject", answers, vocabulary);
}

export const mail: RehearsedService = {
  name: "Resend",
  settings: ["RESEND_API_KEY", "RESEND_URL", "MAIL_FROM"],
  findMissing: (isSet) => (isSet("RESEND_API_KEY") ? null : "RESEND_API_KEY"),
  estimateCost: () => ({
    work: `one mail to ${testAddress}, and refused ones`,
    dollars: 0,
    basis: "it counts as one mail of the plan",
  }),
  // One after the other: the service allows few requests a second.
  async run(side) {
    const idempotencyKey = randomUUID();
    return [
      await send(side, "a mail", { idempotencyKey }),
      await send(side, "the same mail again", { idempotencyKey }),
      await send(side, "another mail with the same key", { idempotencyKey, subject: "Another" }),
      await send(side, "a wrong key", { mail: { apiKey: wrongKey } }),
      await send(side, "an invalid address", { to: "nobody" }),
      await send(side, "an invalid sender", { mail: { from: "nobody" } }),
      await send(side, "an idempotency key that is too long", { idempotencyKey: "k".repeat(257) }),
      await sendWithoutSubject(side),
    ];
  },
};
