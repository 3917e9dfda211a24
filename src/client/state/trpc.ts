import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { observable, tap } from "@trpc/server/observable";
import {
  createFetchWithIdleTimeout,
  fetchKeepalive,
  fetchWithHeadStart,
} from "#client/lib/fetch.ts";
import { Signal } from "#client/lib/signal.ts";
import type { AppRouter } from "#server/app-router.ts";
import { streamPingMs } from "#shared/limits.ts";
import { type GuestTicket, guestTicketHeader } from "#shared/site.ts";

/** The ticket that a guest's calls carry. */
export const guestTicket = new Signal<GuestTicket | null>(null);

let notifyUnauthenticated = () => {};

/** `listener` is called when a call needs a session that the server no longer knows. */
export function onUnauthenticated(listener: () => void): void {
  notifyUnauthenticated = listener;
}

const watchSession: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op)
        .pipe(
          tap({
            error(failure) {
              if (failure.data?.appCode === "unauthenticated") notifyUnauthenticated();
            },
          }),
        )
        .subscribe(observer),
    );

const serverOptions = {
  url: "/trpc",
  headers() {
    const ticket = guestTicket.get()?.ticket;
    return ticket ? { [guestTicketHeader]: ticket } : {};
  },
};

const streamedProcedures = new Set(["ai.summarize"]);

/** The server's procedures. A call with `keepalive` in its context outlives the page (up to 64 KiB). */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    watchSession,
    splitLink({
      condition: ({ path }) => streamedProcedures.has(path),
      // One call per request, so that aborting the call ends the request.
      true: httpBatchStreamLink({
        ...serverOptions,
        maxItems: 1,
        fetch: createFetchWithIdleTimeout(4 * streamPingMs),
      }),
      false: splitLink({
        condition: ({ context }) => context.keepalive === true,
        // Not batched: a batch is sent a moment later, when the page may be closed.
        true: httpLink({ ...serverOptions, fetch: fetchKeepalive }),
        false: httpBatchLink({ ...serverOptions, maxItems: 10, fetch: fetchWithHeadStart }),
      }),
    }),
  ],
});
