import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "../json-body.ts";
import type { StandIn } from "../stand-in.ts";
import { wait as realWait, type Wait } from "../wait.ts";
import { Account } from "./account.ts";
import { createApi } from "./api.ts";
import { carryOut, UnknownHere } from "./carry-out.ts";
import { createCatalogue } from "./catalogue.ts";
import { Clock } from "./clock.ts";
import { control } from "./control.ts";
import { CallFaults } from "./faults.ts";
import { createSite } from "./pages/site.ts";
import { catchUp as letHappen, secondsToNext } from "./passing-time.ts";
import { readState, writeState } from "./state-file.ts";
import { Webhooks } from "./webhooks.ts";

const maxBytes = 256 * 1024;
/** The clock is looked at this often at least: a computer that slept wakes up late. */
const tickMs = 60_000;

export const standInSecretKey = "sk_test_stand_in";
export const standInWebhookSecret = "whsec_stand_in";

interface StripeOptions {
  now?: () => Date;
  wait?: Wait;
  secretKey?: string;
  webhookSecret?: string;
  /** What a year costs less than 12 months; 20 unless given. */
  annualSavingPercent?: number;
  /** Where what was bought is kept between runs; null for memory alone. */
  dataFile?: string | null;
}

export interface StripeStandIn extends StandIn {
  /** The prefix of the API, which the client sets: there is no other place for it. */
  apiPrefix: string;
  /** Where events are sent from now on, those that had nowhere to go too. */
  setWebhookUrl(url: string): void;
}

/**
 * A stand-in of Stripe: the endpoints in use of its API under `/v1/`, the pages of checkout and
 * portal under `/stripe/`, and signed webhooks. No card is asked for and no money moves.
 *
 * `POST /stripe/control` sets its clock and what goes wrong, `GET` tells how things stand; both are
 * described in docs/embedded-stripe.md.
 *
 * @throws StateFileError when what was kept cannot be read.
 */
export function createStripeStandIn(options: StripeOptions = {}): StripeStandIn {
  const wait = options.wait ?? realWait;
  const dataFile = options.dataFile ?? null;
  const clock = new Clock(options.now ?? (() => new Date()));
  const account = new Account(createCatalogue(options.annualSavingPercent), clock);
  const closing = new AbortController();
  const faults = new CallFaults();
  const kept = dataFile ? readState(dataFile) : null;
  if (kept) account.restore(kept);

  let written = "";
  function save(): void {
    if (!dataFile) return;
    const text = JSON.stringify(account.toState());
    if (text !== written) writeState(dataFile, text);
    written = text;
  }
  const webhooks = new Webhooks({
    account,
    secret: options.webhookSecret ?? standInWebhookSecret,
    wait,
    closing: closing.signal,
    onSettled: save,
  });
  account.onEvent = (event) => webhooks.take(event);

  let timer = new AbortController();
  /** Lets happen what is due, and comes back when the next thing is. */
  function catchUp(): void {
    if (closing.signal.aborted) return;
    letHappen(account);
    save();
    timer.abort();
    timer = new AbortController();
    void comeBack(timer.signal);
  }
  async function comeBack(signal: AbortSignal) {
    const seconds = secondsToNext(account);
    if (seconds === null) return;
    await wait(Math.min(tickMs, Math.max(100, seconds * 1_000)), signal);
    if (!signal.aborted && !closing.signal.aborted) catchUp();
  }

  const secretKey = options.secretKey ?? standInSecretKey;
  const common = { account, catchUp };
  const api = createApi({ ...common, secretKey, faults, wait, closing: closing.signal });
  const site = createSite(common);

  async function answerControl(request: IncomingMessage, response: ServerResponse) {
    const body = request.method === "GET" ? {} : parseJson(await readBody(request, maxBytes));
    const parsed = control.safeParse(body);
    if (!parsed.success) return sendJson(response, 422, { error: z.prettifyError(parsed.error) });
    try {
      sendJson(response, 200, await carryOut({ ...common, webhooks, faults }, parsed.data));
    } catch (error) {
      if (!(error instanceof UnknownHere)) throw error;
      sendJson(response, 404, { error: error.message });
    }
  }

  async function dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname.startsWith("/v1/")) return api.handle(request, response, url);
    if (url.pathname === "/stripe/control") return answerControl(request, response);
    return site.handle(request, response, url);
  }

  catchUp();
  return {
    prefix: "/stripe/",
    apiPrefix: "/v1/",
    setWebhookUrl(url) {
      webhooks.setUrl(url);
    },
    async handle(request, response) {
      try {
        await dispatch(request, response);
      } catch (error) {
        if (error instanceof BodyTooLargeError)
          return sendJson(response, 413, { error: error.message });
        console.error(error);
        response.destroy();
      }
    },
    async close() {
      closing.abort();
      timer.abort();
      await webhooks.settled();
      save();
    },
  };
}
