import { SELF } from "cloudflare:test";
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type openSignedIn, origin } from "#tests/worker/support/browser.ts";

export const callback = "https://app.example/callback";
const server = new URL(`${origin}/mcp`);

type Information = NonNullable<Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>>;
type StoredTokens = NonNullable<Awaited<ReturnType<OAuthClientProvider["tokens"]>>>;

/** A program of the official SDK, which keeps what it is given, on a page of another site. */
export function createOAuthProgram(name = "Notes assistant") {
  /** Every answer that it got. */
  const answers: { path: string; status: number; challenge: string | null }[] = [];
  const kept: { client?: Information; tokens?: StoredTokens; verifier: string; page?: URL } = {
    verifier: "",
  };
  const provider: OAuthClientProvider = {
    redirectUrl: callback,
    clientMetadata: { redirect_uris: [callback], client_name: name },
    state: () => "state of the program",
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url) {
      kept.page = url;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") delete kept.client;
      if (scope === "all" || scope === "tokens") delete kept.tokens;
    },
  };
  const ofPage = { origin: new URL(callback).origin, "sec-fetch-site": "cross-site" };
  const createFetch =
    (extra: Record<string, string>): typeof fetch =>
    async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(extra)) headers.set(name, value);
      const answer = await SELF.fetch(url.href, { ...(init as RequestInit), headers });
      answers.push({
        path: url.pathname,
        status: answer.status,
        challenge: answer.headers.get("www-authenticate"),
      });
      return answer;
    };
  const fetchFn = createFetch(ofPage);
  return {
    kept,
    answers,
    provider,
    fetchFn,
    /** Begins, or goes on with what the person's browser came back with. */
    authorize: (back?: URL) => {
      const authorizationCode = back?.searchParams.get("code") ?? undefined;
      const iss = back?.searchParams.get("iss") ?? undefined;
      return auth(provider, {
        serverUrl: server,
        fetchFn,
        ...(authorizationCode !== undefined && { authorizationCode }),
        ...(iss !== undefined && { iss }),
      });
    },
    /** `isPage`: it runs on the page of its site. */
    async connect({ isPage = true } = {}) {
      const client = new Client({ name, version: "1.0.0" });
      const fetchHere = isPage ? fetchFn : createFetch({});
      await client.connect(
        new StreamableHTTPClientTransport(server, { authProvider: provider, fetch: fetchHere }),
      );
      return client;
    },
  };
}

/** Where the program's address leads the browser: the page that asks, with a request or what is wrong with it. */
export async function openConsent(page: URL): Promise<URLSearchParams> {
  const answer = await SELF.fetch(page.href, { redirect: "manual" });
  const to = new URL(answer.headers.get("location") ?? "", origin);
  if (answer.status !== 302 || to.origin !== origin || to.pathname !== "/connect")
    throw new Error(`led to ${answer.status} ${to.href}`);
  return to.searchParams;
}

/** The person's click on "Allow"; the address that leads back. */
export async function allow(
  { trpc }: Pick<Awaited<ReturnType<typeof openSignedIn>>, "trpc">,
  page: URL | undefined,
): Promise<URL> {
  if (!page) throw new Error("The program has not asked.");
  const request = (await openConsent(page)).get("request") ?? "";
  return new URL((await trpc.connections.allow.mutate({ request })).address);
}

/** Calls an endpoint as a form. */
export async function post(path: string, parameters: Record<string, string>) {
  const response = await SELF.fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(parameters).toString(),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}
