import { startEdge } from "#local/edge.ts";
import { migrateDatabase } from "#local/postgres/migrations.ts";
import { startPrivateServer } from "#local/postgres/private-server.ts";
import { openServer } from "#local/postgres/server.ts";
import { startEmbeddedStack } from "#local/stack.ts";

/** The product, on PostgreSQL where that is installed. */
export interface ProofSite {
  url: string;
  /** `postgres://…`; null: the embedded database. */
  databaseUrl: string | null;
  /** How many migrations an empty database got. */
  migrated: number;
  /** A new account. */
  openAccount(): Promise<ProofAccount>;
  close(): Promise<void>;
}

interface ProofAccount {
  /** A personal token that may write. */
  token: string;
  /** Lets the program in that leads to `page`; the address that leads back to it. */
  allow(page: string): Promise<string>;
}

export async function startProofSite(buildDir: string): Promise<ProofSite> {
  const postgres = await startPrivateServer();
  let migrated = 0;
  if (postgres !== null) {
    const server = openServer(postgres.url);
    migrated = await migrateDatabase(server.batch);
    await server.close();
  }
  const env = { SPEECH: "demo", ...(postgres && { LOCAL_DATABASE_URL: postgres.url }) };
  const stack = await startEmbeddedStack({ dataDir: null, port: 0, env });
  const log = () => {};
  const edge = await startEdge({ buildDir, vars: stack.vars, port: 0, persistDir: null, log });
  const { url } = edge;

  /** Calls a procedure as the owner of `credential`. */
  async function call(procedure: string, input: object, credential: string | null) {
    const answer = await fetch(`${url}/trpc/${procedure}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify(input),
    });
    if (!answer.ok) throw new Error(`${procedure}: ${await answer.text()}`);
    const { result } = (await answer.json()) as { result: { data: Record<string, string> } };
    return result.data;
  }

  return {
    url,
    databaseUrl: postgres?.url ?? null,
    migrated,
    async openAccount() {
      const credentials = {
        email: `${crypto.randomUUID()}@example.org`,
        password: "correct horse battery",
      };
      await call("auth.signUp", credentials, null);
      const { accessToken = "" } = await call("auth.tokens", credentials, null);
      const wanted = { name: "Proof", scope: "write" };
      const { secret = "" } = await call("tokens.create", wanted, accessToken);
      return {
        token: secret,
        async allow(page) {
          const answer = await fetch(page, { redirect: "manual" });
          const asked = new URL(answer.headers.get("location") ?? "", url);
          const request = asked.searchParams.get("request") ?? "";
          const { address = "" } = await call("connections.allow", { request }, accessToken);
          return address;
        },
      };
    },
    async close() {
      await edge.close();
      await stack.close();
      await postgres?.close();
    },
  };
}
