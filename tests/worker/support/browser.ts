import { env, SELF } from "cloudflare:test";
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, splitLink } from "@trpc/client";
import type { AppRouter } from "#server/app-router.ts";
import { createAccount } from "#server/auth/accounts.ts";
import { createSessions } from "#server/auth/sessions.ts";
import { createPersonalToken } from "#server/programs/personal-tokens.ts";
import type { TokenScope } from "#shared/programs.ts";
import { namesHeader, rowIdNames } from "#shared/site.ts";
import { modelProcedures, streamedProcedures } from "#shared/streamed-procedures.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);

export const origin = "https://dualect.test";

/** Headers that our page sends with a POST. */
export const fromOwnPage = { origin, "sec-fetch-site": "same-origin" };

type Fetch = NonNullable<Parameters<typeof httpBatchLink<AppRouter>>[0]["fetch"]>;

/** A browser as the worker sees it: it keeps cookies and sends its origin. */
export function openBrowser(extra: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const browser = {
    /** `Cookie` header of the next request. */
    cookie: null as string | null,
    /** The session's cookie. */
    sessionCookie: null as string | null,
    /** Every Set-Cookie value of the answers so far. */
    setCookies: [] as string[],
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const headers = new Headers({ ...fromOwnPage, ...extra });
      for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
      if (browser.cookie) headers.set("cookie", browser.cookie);
      const response = await SELF.fetch(new URL(path, origin).href, { ...init, headers });
      for (const line of response.headers.getSetCookie()) browser.keep(line);
      return response;
    },
    /** Stores the value of a Set-Cookie header. */
    keep(line: string) {
      browser.setCookies.push(line);
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
      const pairs = [...jar].map((pair) => pair.join("="));
      browser.cookie = pairs.length > 0 ? pairs.join("; ") : null;
      browser.sessionCookie = pairs.find((pair) => /^\w+_session=/.test(pair)) ?? null;
    },
  };
  const fetchHere: Fetch = (url, init) =>
    browser.fetch(String(url), {
      method: init?.method ?? "GET",
      headers: new Headers(init?.headers),
      ...(init?.body ? { body: init.body as string } : {}),
      ...(init?.signal ? { signal: init.signal } : {}),
    });
  const headers = { [namesHeader]: rowIdNames };
  const server = { url: `${origin}/trpc`, fetch: fetchHere, headers };
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ path }) => streamedProcedures.has(path) || modelProcedures.has(path),
        true: httpBatchStreamLink({ ...server, maxItems: 1 }),
        false: httpBatchLink(server),
      }),
    ],
  });
  return { ...browser, browser, trpc };
}

export const createCredentials = () => ({
  email: `${crypto.randomUUID()}@example.org`,
  password: "correct horse",
});

/** Hash of `newCredentials`' password, because an isolate computes only two a second. */
const passwordHash =
  "$argon2id$v=19$m=19456,t=2,p=1$8IOZWJsmcfL4oZdxUaTM3w$+v8uhr3UCR8XQBIsjcmlSdjEfLgHr5ce4Mk6FMeBQ3g";

/** A browser with a new signed-in user, without the mail and the limits of a sign-up. */
export async function openSignedIn() {
  const newBrowser = openBrowser();
  const credentials = createCredentials();
  const user = { id: crypto.randomUUID(), email: credentials.email, emailVerified: false };
  await createAccount(db, { ...user, passwordHash, now: new Date() });
  newBrowser.browser.keep(await createSessions(db, { secure: false }).start(user.id));
  return { ...newBrowser, credentials, user };
}

/** A program of the user, with a new token. It runs on a page of another site, whose headers must not matter. */
export async function openProgram(userId: string, scope: TokenScope = "write") {
  const token = { userId, name: "Script", scope, days: 1, now: new Date() };
  const created = await createPersonalToken(db, token);
  const { secret } = created;
  const elsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
  const authorization = `Bearer ${secret}`;
  return { ...openBrowser({ ...elsewhere, authorization }), ...created, authorization };
}

/** A browser after a sign-up. */
export async function openSignedUp() {
  const newBrowser = openBrowser();
  const credentials = createCredentials();
  const { user } = await newBrowser.trpc.auth.signUp.mutate(credentials);
  return { ...newBrowser, credentials, user };
}
