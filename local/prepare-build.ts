import { readWorkerOptions } from "./edge.ts";

/** Writes the worker's options beside the build, so that `npm run serve` needs no wrangler: for the image of the Dockerfile. */
await readWorkerOptions("dist");
