import type { LecturePlan } from "#tests/fixtures/lecture.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The worker's variables: the embedded stack, in memory, on a free port. */
    workerVars: Record<string, string>;
    /** A lecture as chunks of Opus with lead-in, in base64: workerd loads no encoder at run time. */
    opusLecture: { plan: LecturePlan; chunks: string[] };
  }
}
