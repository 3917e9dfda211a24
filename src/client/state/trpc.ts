import type { TRPCClient } from "@trpc/client";
import { takeHeadStart } from "#client/lib/fetch.ts";
import type { AppRouter } from "#server/app-router.ts";

type Client = typeof import("./trpc-client.ts").trpcClient;

let client: Client | null = null;

/** Loads the client before the first call, also for a call of a closing page. */
export async function loadClient(): Promise<Client> {
  client ??= (await import("./trpc-client.ts")).trpcClient;
  return client;
}

/** The server's procedures. A call with `keepalive` in its context outlives the page (up to 64 KiB). */
export const trpc = createProcedures([]) as TRPCClient<AppRouter>;

/** What stands at `path` below `trpc`: routers, procedures and, last, the function `query` or `mutate`. */
function createProcedures(path: readonly string[]): object {
  return new Proxy(() => {}, {
    get: (_target, name) => createProcedures([...path, String(name)]),
    apply(_target, _this, [input, options]) {
      const type = path.at(-1) === "query" ? "query" : "mutation";
      const procedure = path.slice(0, -1).join(".");
      const run = (loaded: Client) => loaded[type](procedure, input, options);
      // At once where possible: a call that outlives the page may begin while the page is closed.
      const call = () => (client ? run(client) : loadClient().then(run));
      const answer = takeHeadStart(procedure, input);
      return answer ? answer.then((result) => (result ? result.data : call())) : call();
    },
  });
}
