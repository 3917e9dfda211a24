import { getRouteApi, useRouter, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import { AuthPage } from "#client/features/auth/auth-page.tsx";

const route = getRouteApi("/auth");

/** /auth for those who come from another page; a visit that begins there is `auth-start.tsx`. */
export default function AuthRoute() {
  const { history } = useRouter();
  const { redirect } = route.useSearch();
  const state = useRouterState({ select: ({ location }) => location.state });
  const leave = useCallback(
    (path: string, { replace }: { replace: boolean }) =>
      replace ? history.replace(path) : history.push(path),
    [history],
  );
  return <AuthPage redirect={redirect} state={state} onLeave={leave} />;
}
