import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { neon, neonConfig } from "@neondatabase/serverless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimDataDirectory, DataDirectoryInUseError } from "#local/postgres/data-directory.ts";
import { openDatabase } from "#local/postgres/database.ts";
import { openEmbedded } from "#local/postgres/embedded.ts";
import { isThorough } from "#tests/fixtures/property-runs.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { connectionString } from "./backends.ts";

const scratch = mkdtempSync(join(tmpdir(), "dualect-data-"));
let directory: string;
beforeEach(({ task }) => {
  directory = join(scratch, task.id, "postgres");
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function withDatabase<T>(
  dataDir: string,
  use: (sql: ReturnType<typeof neon>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ dataDir });
  const server = await serve(database.standIn);
  neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
  try {
    return await use(neon(connectionString));
  } finally {
    await server.close();
    await database.close();
  }
}

test("never removes a complete cluster, and reports a damaged one", async () => {
  const data = claimDataDirectory(directory);
  mkdirSync(data.path);
  writeFileSync(join(data.path, "PG_VERSION"), "18\n");
  data.markComplete();
  data.release();
  await expect(openEmbedded(directory)).rejects.toThrow(directory);
  expect(existsSync(join(data.path, "PG_VERSION"))).toBe(true);
  // The lock was given back: only the cluster is in the way.
  claimDataDirectory(directory).release();
});

// It creates clusters, which takes long.
describe.runIf(isThorough)("a cluster on the disk", () => {
  /** Copied for each test, because creating a cluster takes seconds. Here its first creation was interrupted. */
  const template = join(scratch, "template");
  const copyTemplate = () => cpSync(template, directory, { recursive: true });
  beforeAll(async () => {
    mkdirSync(join(template, "data"), { recursive: true });
    writeFileSync(join(template, "data", "PG_VERSION"), "18\n");
    await withDatabase(
      template,
      (sql) => sql`insert into users (email, password_hash) values ('a@b.c', '课译')`,
    );
  }, 60_000);

  test("replaces a cluster whose creation was interrupted, and keeps what it stores then", async () => {
    copyTemplate();
    const users = withDatabase(directory, (sql) => sql`select email, password_hash from users`);
    expect(await users).toEqual([{ email: "a@b.c", password_hash: "课译" }]);
  });

  test("rejects an open directory with the owner's process id, and opens it after closing", async () => {
    copyTemplate();
    const first = await openEmbedded(directory);
    const refused = await openEmbedded(directory).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(DataDirectoryInUseError);
    expect(refused).toMatchObject({ message: expect.stringContaining(`process ${process.pid}`) });
    expect(refused).toMatchObject({ message: expect.stringContaining(directory) });
    expect((await first.run({ query: "select 1", params: [] })).rows).toEqual([["1"]]);
    await first.close();
    const second = await openEmbedded(directory);
    await second.close();
  });

  test("detects another process, and opens with all committed rows after that process is killed while writing", async () => {
    copyTemplate();
    const script = fileURLToPath(new URL("row-writer.ts", import.meta.url));
    const writer = spawn(process.execPath, ["--import", "tsx", script, directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(writer, "exit");
    let committed = 0;
    for await (const line of createInterface({ input: writer.stdout })) {
      committed = Number(line);
      if (committed === 10) {
        await expect(openEmbedded(directory)).rejects.toThrow(`process ${writer.pid}`);
      }
      if (committed === 60) writer.kill("SIGKILL");
    }
    expect(await ended).toEqual([null, "SIGKILL"]);
    const backend = await openEmbedded(directory);
    const { rows } = await backend.run({ query: "select n from kept order by n", params: [] });
    const kept = rows.map(([n]) => Number(n));
    expect(kept).toEqual(kept.map((_, index) => index + 1));
    // The row whose number did not get out may be there as well.
    expect(kept.length).toBeGreaterThanOrEqual(committed);
    expect(committed).toBeGreaterThanOrEqual(60);
    await backend.close();
  });
});
