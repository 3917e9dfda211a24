import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { encodeOpusChunk } from "#shared/opus.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";
import { queryDatabase } from "#tests/fixtures/query-database.ts";
import type { StartedStack } from "./stack-process.ts";

const opusPlan = { to: 30, leadInMs: 500, tailMs: 500, sampleRate: 16_000 };

/** One embedded stack for all tests inside workerd; each test creates its own user. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(new URL("stack-process.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  const { samples } = createLectureFixture(opusPlan);
  const chunks = encodeOpusChunks(samples).map((chunk) =>
    Buffer.from(encodeOpusChunk(chunk)).toString("base64"),
  );
  project.provide("opusLecture", { plan: opusPlan, chunks });
  const { url, vars } = await waitForStack(child);
  project.provide("workerVars", vars);
  const closing = new AbortController();
  void watchDatabase(url, closing.signal);
  return async () => {
    closing.abort();
    const closed = once(child, "close");
    child.disconnect();
    await closed;
  };
}

/** @throws when the process ends before. */
async function waitForStack(child: ChildProcess): Promise<StartedStack> {
  const started = once(child, "message").then(([message]) => message as StartedStack);
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`The embedded stack has ended with ${code}`);
  });
  return Promise.race([started, ended]);
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
