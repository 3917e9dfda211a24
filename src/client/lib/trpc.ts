import { createTRPCClient, httpBatchLink, type TRPCLink } from "@trpc/client";
import { observable, tap } from "@trpc/server/observable";
import type { AppRouter } from "../../server/app-router.ts";
import { guestTicketHeader } from "../../shared/site.ts";
import { guestTicket } from "./guest-ticket.ts";

type Listener = () => void;
let refused: Listener = () => {};

/** `listener` is called when the server no longer knows the session of a call that needs one. */
export function onUnauthenticated(listener: Listener): void {
  refused = listener;
}

const watchSession: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op)
        .pipe(
          tap({
            error(failure) {
              if (failure.data?.appCode === "unauthenticated") refused();
            },
          }),
        )
        .subscribe(observer),
    );

/** The server's procedures. */
export const trpc = createTRPCClient<AppRouter>({
  links: [
    watchSession,
    httpBatchLink({
      url: "/trpc",
      maxItems: 10,
      headers() {
        const ticket = guestTicket.get();
        return ticket ? { [guestTicketHeader]: ticket } : {};
      },
    }),
  ],
});
