import {
  createTRPCUntypedClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { observable, tap } from "@trpc/server/observable";
import { createFetchWithIdleTimeout, fetchKeepalive, fetchNow } from "#client/lib/fetch.ts";
import type { AppRouter } from "#server/app-router.ts";
import { streamSilenceMs } from "#shared/limits.ts";
import { guestTicketHeader, namesHeader, pageHeader, rowIdNames } from "#shared/site.ts";
import { modelProcedures, streamedProcedures } from "#shared/streamed-procedures.ts";
import { pageId } from "./page-id.ts";
import { guestTicket, notifyUnauthenticated, tellsSessionEnd } from "./visitor.ts";

const watchSession: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op)
        .pipe(
          tap({
            error(failure) {
              if (failure.data?.appCode === "unauthenticated")
                notifyUnauthenticated(op.context[tellsSessionEnd] === true);
            },
          }),
        )
        .subscribe(observer),
    );

const serverOptions = {
  url: "/trpc",
  headers() {
    const ticket = guestTicket.get()?.ticket;
    return {
      [namesHeader]: rowIdNames,
      [pageHeader]: pageId,
      ...(ticket && { [guestTicketHeader]: ticket }),
    };
  },
};

/** The client behind `trpc`, loaded with the first call: no page needs it to be shown. */
export const trpcClient = createTRPCUntypedClient<AppRouter>({
  links: [
    watchSession,
    splitLink({
      condition: ({ path }) => streamedProcedures.has(path) || modelProcedures.has(path),
      // One call per request, so that aborting the call ends the request.
      true: httpBatchStreamLink({
        ...serverOptions,
        maxItems: 1,
        fetch: createFetchWithIdleTimeout(streamSilenceMs),
      }),
      false: splitLink({
        condition: ({ context }) => context.keepalive === true,
        // Not batched: a batch is sent a moment later, when the page may be closed.
        true: httpLink({ ...serverOptions, fetch: fetchKeepalive }),
        false: httpBatchLink({ ...serverOptions, maxItems: 10, fetch: fetchNow }),
      }),
    }),
  ],
});
