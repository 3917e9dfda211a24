import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Site } from "./site.ts";

type Information = NonNullable<Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>>;
type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider["tokens"]>>>;

/** A program on this machine with the official SDK, to whose port a browser comes back. */
export async function openProgram(site: Site, name: string) {
  const { promise: returned, resolve } = Promise.withResolvers<URL>();
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://127.0.0.1");
    response.setHeader("content-type", "text/html; charset=utf-8");
    // A browser asks for a picture of the site on its own.
    if (address.pathname !== "/callback") return void response.writeHead(204).end();
    response.end(`<link rel="icon" href="data:,"><title>Program</title><h1>Back in the program</h1>
      <p id="referrer">${request.headers.referer ?? "no referrer"}</p>`);
    resolve(address);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const redirectUrl = `http://127.0.0.1:${port}/callback`;

  let page: URL | undefined;
  let information: Information | undefined;
  let tokens: Tokens | undefined;
  let verifier = "";
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: name },
    state: () => "1e3",
    clientInformation: () => information,
    saveClientInformation(saved) {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens(saved) {
      tokens = saved;
    },
    redirectToAuthorization(url) {
      page = url;
    },
    saveCodeVerifier(saved) {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
  const serverUrl = new URL(`${site.url}/mcp`);
  return {
    /** Where the person has to go. */
    async ask(): Promise<string> {
      await auth(provider, { serverUrl });
      if (!page) throw new Error("The program was let in without a question.");
      return page.href;
    },
    /** What the browser has come back with. */
    returned,
    /** Gets the tokens, and connects. */
    async connect(): Promise<Client> {
      const { searchParams } = await returned;
      const code = searchParams.get("code") ?? "";
      await auth(provider, {
        serverUrl,
        authorizationCode: code,
        iss: searchParams.get("iss") ?? "",
      });
      const client = new Client({ name, version: "1.0.0" });
      await client.connect(
        new StreamableHTTPClientTransport(serverUrl, { authProvider: provider }),
      );
      return client;
    },
    close: () => new Promise<unknown>((done) => server.close(done)),
  };
}
