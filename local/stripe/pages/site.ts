import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readBody } from "../../json-body.ts";
import type { Account } from "../account.ts";
import { completeCheckout, giveCard } from "../checkout-outcome.ts";
import type { Checkout, Portal } from "../model.ts";
import { changing, collect, planEnd } from "../subscriptions.ts";
import { checkoutPage, successUrl } from "./checkout.ts";
import { layout, pagePolicy } from "./layout.ts";
import { type PortalNews, portalPage, runningOf } from "./portal.ts";
import { languageOf, words } from "./words.ts";

const maxBytes = 16 * 1024;

const checkoutForm = z.object({ action: z.enum(["pay", "decline"]) });
const portalForm = z.union([
  z.object({ action: z.enum(["cancel", "resume"]), subscription: z.string() }),
  z.object({ action: z.enum(["good-card", "bad-card"]) }),
  z.object({ action: z.literal("pay"), invoice: z.string() }),
]);

/** The pages under `/stripe/`: `checkout/:session` and `portal/:session`. */
export function createSite({ account, catchUp }: { account: Account; catchUp: () => void }) {
  async function checkout(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    session: Checkout,
  ) {
    const language = languageOf(
      url.searchParams.get("locale") ?? session.locale,
      request.headers["accept-language"],
    );
    if (request.method === "POST") {
      const form = checkoutForm.safeParse(await formOf(request));
      if (!form.success) return redirect(response, url.pathname);
      // Asked again because a page that was paid or has expired may still be open in a tab.
      if (session.status !== "open") return redirect(response, url.pathname);
      if (form.data.action === "decline") return redirect(response, addQuery(url, "declined"));
      completeCheckout(account, session);
      catchUp();
      return redirect(response, successUrl(session));
    }
    const declined = url.searchParams.has("declined");
    send(response, 200, checkoutPage(account, session, { language, declined }), [
      session.successUrl,
      session.cancelUrl,
    ]);
  }

  async function portal(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    session: Portal,
  ) {
    const language = languageOf(
      url.searchParams.get("locale") ?? session.locale,
      request.headers["accept-language"],
    );
    if (request.method === "POST") {
      const form = portalForm.safeParse(await formOf(request));
      const news = form.success ? act(session, form.data) : null;
      catchUp();
      return redirect(response, news ? addQuery(url, news) : url.pathname);
    }
    const news: PortalNews = url.searchParams.has("failed")
      ? "failed"
      : url.searchParams.has("saved")
        ? "saved"
        : null;
    send(response, 200, portalPage(account, session, { language, news }), [session.returnUrl]);
  }

  function act({ customer: id }: Portal, form: z.infer<typeof portalForm>): PortalNews {
    const customer = account.customer(id);
    if (!("subscription" in form) && form.action !== "pay") {
      giveCard(account, customer, form.action === "bad-card");
      return "saved";
    }
    if (form.action === "pay") {
      const invoice = account.invoices.get(form.invoice);
      const owner = invoice && account.subscriptions.get(invoice.subscription);
      if (!invoice || !owner || invoice.customer !== id || invoice.status !== "open") return null;
      let paid = false;
      changing(account, owner, () => {
        paid = collect(account, owner, invoice);
      });
      return paid ? "saved" : "failed";
    }
    const subscription = runningOf(account, id).find((one) => one.id === form.subscription);
    if (!subscription) return null;
    // With flexible billing, which is usual now, the portal sets a date and not cancel_at_period_end.
    const at = form.action === "cancel" ? subscription.item.periodEnd : null;
    changing(account, subscription, () => planEnd(account, subscription, at));
    return "saved";
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
      catchUp();
      const [, , kind, id = "", rest] = url.pathname.split("/");
      const session = kind === "checkout" ? account.checkouts.get(id) : undefined;
      const opened = kind === "portal" ? account.portals.get(id) : undefined;
      const known = rest === undefined && ["GET", "HEAD", "POST"].includes(request.method ?? "");
      if (known && session) return checkout(request, response, url, session);
      if (known && opened && !account.customer(opened.customer).deleted)
        return portal(request, response, url, opened);
      const language = languageOf(null, request.headers["accept-language"]);
      const { notFoundTitle, notFound } = words[language];
      const body = `<h1>${notFoundTitle}</h1><p>${notFound}</p>`;
      send(response, 404, layout(language, notFoundTitle, body), []);
    },
  };
}

const formOf = async (request: IncomingMessage) =>
  Object.fromEntries(new URLSearchParams(await readBody(request, maxBytes)));

/** The same page with what it has to tell, and in the language that was asked for. */
function addQuery({ pathname, searchParams }: URL, name: string): string {
  const query = new URLSearchParams({ [name]: "1" });
  const locale = searchParams.get("locale");
  if (locale) query.set("locale", locale);
  return `${pathname}?${query}`;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, "cache-control": "no-store" }).end();
}

function send(
  response: ServerResponse,
  status: number,
  html: string,
  leadsTo: readonly (string | null)[],
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": pagePolicy(leadsTo),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end(html);
}
