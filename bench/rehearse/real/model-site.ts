import { randomUUID } from "node:crypto";
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, splitLink } from "@trpc/client";
import { createFetchWithIdleTimeout } from "#client/lib/fetch.ts";
import { startEdge } from "#local/edge.ts";
import { findLocalModel, toSettings } from "#local/llm/find-local-model.ts";
import { startEmbeddedStack } from "#local/stack.ts";
import type { AppRouter } from "#server/app-router.ts";
import { streamSilenceMs } from "#shared/limits.ts";
import { namesHeader, rowIdNames } from "#shared/site.ts";
import { modelProcedures, streamedProcedures } from "#shared/streamed-procedures.ts";

export type ModelSite = Awaited<ReturnType<typeof startModelSite>>;

/**
 * The product on this machine with a signed-in person, and with the model at `modelUrl` as `npm start` finds it.
 *
 * @throws Error if it finds none
 */
export async function startModelSite(buildDir: string, modelUrl: string) {
  // What it translates is what is measured.
  const found = await findLocalModel(
    {},
    [{ name: "llama.cpp", url: modelUrl }],
    async () => "translates",
  );
  if (found === null) throw new Error("npm start would not find the model's server");
  const stack = await startEmbeddedStack({ dataDir: null, port: 0, env: toSettings(found) });
  const logged: string[] = [];
  const log = (line: string) => {
    const detail = /"event":"procedure_failed".*?"detail":"([^"]{0,80})/.exec(line)?.[1];
    if (detail) logged.push(detail);
  };
  const edge = await startEdge({ buildDir, vars: stack.vars, port: 0, persistDir: null, log });
  const close = async () => {
    await edge.close();
    await stack.close();
  };
  try {
    const trpc = await signUp(edge.url);
    /** Why procedures have failed since the last call. */
    const takeLog = () => logged.splice(0);
    return { trpc, window: found.window, takeLog, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The procedures as the page of a new user calls them. */
async function signUp(url: string) {
  const headers: Record<string, string> = { origin: url, [namesHeader]: rowIdNames };
  const answer = await fetch(`${url}/trpc/auth.signUp`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      email: `${randomUUID()}@example.org`,
      password: "correct horse battery",
    }),
  });
  if (!answer.ok) throw new Error(`nobody could sign up: ${await answer.text()}`);
  headers.cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const server = { url: `${url}/trpc`, headers };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ path }) => streamedProcedures.has(path) || modelProcedures.has(path),
        true: httpBatchStreamLink({
          ...server,
          maxItems: 1,
          fetch: createFetchWithIdleTimeout(
            streamSilenceMs,
            (input, { signal = null, ...init } = {}) => fetch(input, { ...init, signal }),
          ),
        }),
        false: httpBatchLink(server),
      }),
    ],
  });
}
