import { httpBatchStreamLink, type TRPCLink } from "@trpc/client";
import type { AppRouter } from "../../server/app-router.ts";
import { streamPingMs } from "../../shared/limits.ts";
import { watchedFetch } from "./watched-fetch.ts";

/** The server's answer in pieces. One call a request: aborting it ends the request. */
export const streamLink = (server: {
  url: string;
  headers(): Record<string, string>;
}): TRPCLink<AppRouter> =>
  httpBatchStreamLink({ ...server, maxItems: 1, fetch: watchedFetch(4 * streamPingMs) });
