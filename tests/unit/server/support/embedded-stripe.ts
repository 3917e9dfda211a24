import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { standInSecretKey } from "#local/stripe/api.ts";
import { createStripeStandIn } from "#local/stripe/stand-in.ts";
import { standInWebhookSecret } from "#local/stripe/webhooks.ts";
import type { Billing } from "#server/ports.ts";
import { control, serve } from "#tests/unit/local/serve.ts";
import { connectBilling } from "#worker/adapters/stripe.ts";

/** The answer to a webhook: an HTTP status. */
type Receive = (body: Uint8Array, signature: string) => Promise<number>;

/** The embedded Stripe for the tests of one file, and the product's adapter for it. */
export function createEmbeddedStripe() {
  let instance: { url: string; billing: Billing; close(): Promise<void> } | undefined;
  /** Answers webhooks. */
  let receive: Receive = async () => 200;

  beforeAll(async () => {
    const standIn = createStripeStandIn();
    const server = await serve(standIn);
    const webhook = createServer(async (request, response) => {
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part);
      const signature = request.headers["stripe-signature"];
      response.writeHead(await receive(Buffer.concat(parts), String(signature))).end();
    });
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const { port } = webhook.address() as AddressInfo;
    standIn.setWebhookUrl(`http://127.0.0.1:${port}/`);
    const billing = connectBilling({
      url: server.url,
      secretKey: standInSecretKey,
      webhookSecret: standInWebhookSecret,
    });
    instance = {
      url: server.url,
      billing,
      async close() {
        await server.close();
        webhook.closeAllConnections();
        await new Promise((resolve) => webhook.close(resolve));
      },
    };
  });
  afterAll(() => instance?.close());

  const current = () => {
    if (!instance) throw new Error("Stripe is open inside tests only");
    return instance;
  };
  return {
    billing: () => current().billing,
    url: () => current().url,
    control: (body: object) => control(current().url, "/stripe/", body) as Promise<ControlAnswer>,
    /** Answers further webhooks with `answer`. */
    onWebhook(answer: Receive) {
      receive = answer;
    },
    /** Presses a button of Stripe's page. */
    async press(page: string, form: Record<string, string>): Promise<string> {
      const response = await fetch(page, {
        method: "POST",
        body: new URLSearchParams(form),
        redirect: "manual",
      });
      return response.headers.get("location") ?? "";
    },
  };
}

interface ControlAnswer {
  held: { id: string; type: string; customer: string | null }[];
}
