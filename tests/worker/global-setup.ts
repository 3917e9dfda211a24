import type { TestProject } from "vitest/node";
import { startEmbeddedStack } from "#local/stack.ts";
import { encodeOpusChunk } from "#shared/opus.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";

const opusPlan = { to: 30, leadInMs: 500, tailMs: 500, sampleRate: 16_000 };

/** One embedded stack for all tests inside workerd; each test creates its own user. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stack = await startEmbeddedStack({
    ...{ dataDir: null, port: 0, env: {} },
    databaseImage: await readDatabaseImage(),
  });
  project.provide("workerVars", stack.vars);
  const { samples } = createLectureFixture(opusPlan);
  const chunks = encodeOpusChunks(samples).map((chunk) =>
    Buffer.from(encodeOpusChunk(chunk)).toString("base64"),
  );
  project.provide("opusLecture", { plan: opusPlan, chunks });
  return () => stack.close();
}
