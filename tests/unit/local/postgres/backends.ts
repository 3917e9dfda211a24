import { randomUUID } from "node:crypto";
import pg from "pg";
import type { SqlBackend } from "../../../../local/postgres/backend.ts";
import { openEmbedded } from "../../../../local/postgres/embedded.ts";
import { openServer } from "../../../../local/postgres/server.ts";

interface TestBackend {
  name: string;
  /** An empty database, gone after `close`. */
  open(): Promise<SqlBackend>;
}

const embedded: TestBackend = { name: "PGlite", open: () => openEmbedded() };

/** A database of its own for each suite, so that the given one is left as it is. */
function onServer(serverUrl: string): TestBackend {
  const administer = async (query: string) => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    await client.query(query).finally(() => client.end());
  };
  return {
    name: "PostgreSQL",
    async open() {
      const name = `dualect_test_${randomUUID().replaceAll("-", "")}`;
      await administer(`create database ${name} template template0 encoding 'UTF8'`);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      const backend = openServer(url.href);
      return {
        ...backend,
        async close() {
          await backend.close();
          await administer(`drop database ${name}`);
        },
      };
    },
  };
}

const serverUrl = process.env.LOCAL_DATABASE_URL;

/** What every suite runs on: PGlite, and the server of `LOCAL_DATABASE_URL` where it is set. */
export const backends = serverUrl ? [embedded, onServer(serverUrl)] : [embedded];

/** The driver sends it along; the stand-in checks its form alone. */
export const connectionString = "postgresql://dualect:dualect@localhost/dualect";
