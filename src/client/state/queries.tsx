import {
  focusManager,
  type Query,
  QueryClient,
  QueryClientProvider,
  type QueryFilters,
  type QueryFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import { createTRPCReact } from "@trpc/react-query";
import type { ComponentType, ReactNode } from "react";
import { afterFirstPaint } from "#client/lib/after-first-paint.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { listen } from "#client/lib/listen.ts";
import type { AppRouter } from "#server/app-router.ts";
import { isOffline } from "./offline.ts";
import { trpcClient } from "./trpc-client.ts";
import { getUserId, visitor } from "./visitor.ts";

export const api = createTRPCReact<AppRouter>();

/** A site with a stand-in is on somebody's own machine, where a server may be started at any time. */
const standInCheckMs = 15_000;

/** What the site offers; it does not change while a page is open, unless a stand-in takes the place of a service. */
export const useSiteInfo = () =>
  api.site.info.useQuery(undefined, {
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) =>
      data?.standIns.speech || data?.standIns.llm ? standInCheckMs : false,
  });

const maxRetries = 2;
/** A slower server counts as none, where something is stored; as in the service worker. */
const lateAfterMs = 4_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // After reading a lecture for a while, the list behind it is still there.
      gcTime: 30 * 60_000,
      // Without a network a call fails at once, and the page can say so: a paused one would look like a slow one.
      networkMode: "always",
      // Only transient failures are retried.
      retry: (failures, failure) =>
        failures < maxRetries && !isOffline.get() && toApiError(failure).retryable,
      persister: fetchOrRestore,
    },
  },
});

// A window beside another one stays visible: only its focus event shows that the user has come back.
focusManager.setEventListener((onFocus) =>
  listen(window, ["visibilitychange", "focus"], () => onFocus()),
);

const loadStoredLibrary = () => import("./stored/stored-library.ts");
afterFirstPaint(loadStoredLibrary)().then(
  ({ watchQueries }) => watchQueries(queryClient),
  (failure: unknown) => console.warn("Lectures are not kept for times without a network", failure),
);

/** Calls the server. If it cannot be reached, or does not answer in time, shows what this device has stored. */
async function fetchOrRestore(
  run: (context: QueryFunctionContext) => unknown,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  if (query.state.data !== undefined) return run(context);
  const restore = () =>
    loadStoredLibrary()
      .then((stored) => stored.restoreQuery(queryClient, query))
      .catch((failure: unknown) => console.warn("What is stored could not be read", failure));
  const late = setTimeout(restore, lateAfterMs);
  try {
    return await run(context);
  } catch (failure) {
    if (toApiError(failure).code === "unavailable") await restore();
    throw failure;
  } finally {
    clearTimeout(late);
  }
}

isOffline.subscribe(() => {
  if (!isOffline.get()) void queryClient.invalidateQueries();
});

let userId = getUserId();

// Another user must not see the cached data of the one before.
visitor.subscribe(() => {
  const before = userId;
  userId = getUserId();
  if (userId === before) return;
  // With another user the open page refetches; after a sign-out it has nothing to fetch.
  if (userId !== null && before !== null) void queryClient.resetQueries();
  else queryClient.clear();
});

/**
 * Refetches the queries under `queryKey` after their data has changed. A first response that is still in
 * flight is older than the change and would be cached as new: its request is cancelled first.
 */
export async function refetchQueries(queryKey: QueryKey): Promise<void> {
  const first: QueryFilters = { queryKey, predicate: ({ state }) => state.data === undefined };
  await queryClient.cancelQueries(first);
  await queryClient.invalidateQueries({ queryKey });
}

export function DataProvider({ children }: { children: ReactNode }) {
  return (
    <api.Provider client={trpcClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </api.Provider>
  );
}

/** `Part` with the server's data, for a part that is loaded apart from the page around it. */
export const withData = <P extends object>(Part: ComponentType<P>) =>
  function PartWithData(props: P) {
    return (
      <DataProvider>
        <Part {...props} />
      </DataProvider>
    );
  };
