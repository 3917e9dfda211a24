import { setTimeout as delay } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { startEmbeddedStack } from "#local/stack.ts";
import { encodeOpusChunk } from "#shared/opus.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";
import { queryDatabase } from "#tests/fixtures/query-database.ts";

const opusPlan = { to: 30, leadInMs: 500, tailMs: 500, sampleRate: 16_000 };

/** One embedded stack for all tests inside workerd; each test creates its own user. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startEmbeddedStack({
    dataDir: null,
    port: 0,
    env: {},
    databaseImage: await readDatabaseImage(),
  });
  project.provide("workerVars", stack.vars);
  const { samples } = createLectureFixture(opusPlan);
  const chunks = encodeOpusChunks(samples).map((chunk) =>
    Buffer.from(encodeOpusChunk(chunk)).toString("base64"),
  );
  project.provide("opusLecture", { plan: opusPlan, chunks });
  const closing = new AbortController();
  void watchDatabase(stack.url, closing.signal);
  return () => {
    closing.abort();
    return stack.close();
  };
}

/** Ends the run when the embedded database no longer answers: every test that comes would fail. */
async function watchDatabase(stackUrl: string, closing: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await queryDatabase(
        stackUrl,
        "select 1",
        [],
        AbortSignal.any([closing, AbortSignal.timeout(30_000)]),
      );
      await delay(1_000, undefined, { signal: closing });
    }
  } catch (error) {
    if (closing.aborted) return;
    console.error("The embedded database of the worker's tests has ended.", error);
    process.exit(1);
  }
}
