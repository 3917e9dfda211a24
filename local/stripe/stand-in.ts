import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import type { StandIn } from "#local/stand-in.ts";
import { wait as realWait, type Wait } from "#local/wait.ts";
import { Account, newId } from "./account.ts";
import { handleCall } from "./api.ts";
import { createPrices } from "./catalogue.ts";
import { control, runControl } from "./control.ts";
import { ApiError } from "./errors.ts";
import { type State, stateSchema } from "./model.ts";
import { handlePage } from "./pages.ts";
import { catchUp } from "./subscriptions.ts";
import { Webhooks } from "./webhooks.ts";

const maxBytes = 64 * 1024;
/** Without calls, everything that is due happens this late at most. */
const tickMs = 60_000;

interface StripeOptions {
  now?: () => Date;
  wait?: Wait;
  /** Discount of an annual price against 12 months, percent. */
  annualSavingPercent?: number;
  /** File of the account's state; null keeps it in memory. */
  dataFile?: string | null;
}

/**
 * A stand-in for Stripe: the API calls that the product uses under `/v1/`, the checkout and portal pages
 * under `/stripe/`, and signed webhooks. It asks for no card and moves no money.
 *
 * `POST /stripe/control` moves clocks and injects failures: see docs/embedded-stripe.md.
 *
 * @throws Error when the data file cannot be read.
 */
export function createStripeStandIn(options: StripeOptions = {}) {
  const { now = () => new Date(), wait = realWait, dataFile = null } = options;
  const prices = createPrices(options.annualSavingPercent ?? 20);
  const account = new Account(readState(dataFile), prices, now);
  const closing = new AbortController();

  let savedText = "";
  function save(): void {
    const text = JSON.stringify(account.state);
    if (dataFile && text !== savedText) writeState(dataFile, text);
    savedText = text;
  }
  const webhooks = new Webhooks(account, wait, closing.signal, save);
  account.onEvent = (event) => webhooks.send(event);
  function tick(): void {
    catchUp(account);
    save();
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse) {
    const body = control.safeParse(parseJson(await readBody(request, maxBytes)));
    if (!body.success) return sendJson(response, 422, { error: z.prettifyError(body.error) });
    sendJson(response, 200, await runControl(account, webhooks, body.data));
  }

  tick();
  const timer = setInterval(tick, tickMs);
  return {
    // Stripe's client fixes the API's prefix.
    prefixes: ["/stripe/", "/v1/"],
    /** Sets the webhook's address and sends the events that waited for it. */
    setWebhookUrl: (url: string) => webhooks.setUrl(url),
    async handle(request, response) {
      try {
        tick();
        if (request.url?.startsWith("/v1/")) await handleCall(account, request, response);
        else if (request.url === "/stripe/control") await answerControl(request, response);
        else await handlePage(account, request, response);
        save();
      } catch (error) {
        const headers = { "request-id": newId("req") };
        if (error instanceof ApiError)
          return sendJson(response, error.status, { error: error.body }, headers);
        if (error instanceof BodyTooLargeError) return sendJson(response, 413, error.message);
        throw error;
      }
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await webhooks.waitUntilIdle();
      save();
    },
  } satisfies StandIn & Record<string, unknown>;
}

/** @throws Error when the file is damaged or of another version. */
function readState(file: string | null): State {
  try {
    if (file) return stateSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    const message = `${file} holds the payments of the embedded Stripe and cannot be read. Delete it to begin without plans and payments.`;
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw new Error(message, { cause });
  }
  return {
    version: 1,
    clock: { customersMs: {} },
    customers: [],
    checkouts: [],
    portals: [],
    subscriptions: [],
    invoices: [],
    events: [],
    keys: [],
  };
}

/** Replaces the file atomically: a crash leaves the old or the new one. */
function writeState(file: string, text: string): void {
  writeFileSync(`${file}.next`, text, { mode: 0o600 });
  renameSync(`${file}.next`, file);
}
