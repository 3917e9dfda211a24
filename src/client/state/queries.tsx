import { focusManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCReact } from "@trpc/react-query";
import type { ReactNode } from "react";
import { toApiError } from "#client/lib/api-error.ts";
import type { AppRouter } from "#server/app-router.ts";
import { visitor } from "./auth.ts";
import { trpc } from "./trpc.ts";

export const api = createTRPCReact<AppRouter>();

const maxRetries = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // Whoever has read a lecture for a while finds the list behind it as it was.
      gcTime: 30 * 60_000,
      // A refusal stays a refusal; only what may pass is asked again.
      retry: (failures, failure) => failures < maxRetries && toApiError(failure).retryable,
    },
  },
});

// A window beside another one stays visible: that somebody comes back to it, its focus alone says.
focusManager.setEventListener((look) => {
  const back = () => look();
  window.addEventListener("visibilitychange", back);
  window.addEventListener("focus", back);
  return () => {
    window.removeEventListener("visibilitychange", back);
    window.removeEventListener("focus", back);
  };
});

function getUserId(): string | null {
  const now = visitor.get();
  return now.kind === "user" ? now.user.id : null;
}

let userId = getUserId();

// What one user was shown is not for the next one.
visitor.subscribe(() => {
  const before = userId;
  userId = getUserId();
  if (userId === before) return;
  // A page that goes on under another user asks anew; one that is left has nothing to ask.
  if (userId !== null && before !== null) void queryClient.resetQueries();
  else queryClient.clear();
});

export function DataProvider({ children }: { children: ReactNode }) {
  return (
    <api.Provider client={trpc} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </api.Provider>
  );
}
