import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import worker from "#worker/index.ts";

const {
  LOCAL_STACK_URL,
  BILLING_MODE: _,
  ...bindings
} = env as Cloudflare.Env & { LOCAL_STACK_URL: string; BILLING_MODE: string };

export const origin = "https://lectures.example.edu";

/** The database and the outbox of the tests, as a self-hosted site finds its own. */
const services = {
  APP_ENV: "self-hosted",
  APP_ORIGIN: origin,
  DATABASE_URL: `${LOCAL_STACK_URL.replace("http://", "postgresql://worker:secret@")}/dualect`,
  RESEND_URL: `${LOCAL_STACK_URL}/mail`,
  RESEND_API_KEY: "secret",
  MAIL_FROM: "Lectures <lectures@example.edu>",
};

/** A self-hosted site with `settings`. */
export function openSite(settings: Record<string, string>) {
  const site = { ...bindings, ...services, ...settings } as unknown as Cloudflare.Env;

  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext();
    const headers = new Headers({ origin, "sec-fetch-site": "same-origin" });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const request = new Request(origin + path, { ...init, headers });
    const answer = await worker.fetch(request as Request<unknown, never>, site, context);
    await waitOnExecutionContext(context);
    return answer;
  }

  /** Calls a mutation, or a query without input; `code` is that of the error, or null. */
  async function call(
    procedure: string,
    { input, headers = {} }: { input?: object; headers?: Record<string, string> } = {},
  ) {
    const answer = await fetch(`/trpc/${procedure}`, {
      headers: { "content-type": "application/json", ...headers },
      ...(input && { method: "POST", body: JSON.stringify(input) }),
    });
    const body = (await answer.json()) as {
      error?: { data: { appCode: string } };
      result?: { data?: Record<string, unknown> };
    };
    return {
      code: body.error?.data.appCode ?? null,
      data: body.result?.data ?? null,
      cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "",
    };
  }
  return { fetch, call, bindings: site };
}
