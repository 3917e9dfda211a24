import { useLayoutEffect } from "react";
import { AuthPage } from "./features/auth/auth-page.tsx";
import { authMessages } from "./features/auth/messages/index.ts";
import { reportFirstPage } from "./lib/after-first-paint.ts";
import { getVisitor } from "./state/session.ts";

/**
 * Prepares the sign-in page of a visit that begins with it. The router is half of the program's code there, and is
 * loaded when the visitor leaves.
 *
 * @param showApplication shows the page at the document's address.
 * @returns null where the visitor needs the application; to be hydrated otherwise.
 */
export async function loadAuthStart(showApplication: () => Promise<void>) {
  const { pathname, search, hash } = window.location;
  if (pathname === "/auth") {
    // A server that cannot be reached is a page of the application.
    getVisitor().catch(showApplication);
  } else {
    const who = await getVisitor().catch(() => null);
    if (who?.kind !== "anonymous") return null;
    // Another page: where to return to after signing in.
    const redirect = pathname + search + hash;
    const query = redirect === "/" ? "" : `?${new URLSearchParams({ redirect })}`;
    history.replaceState(null, "", `/auth${query}`);
  }
  await authMessages.load();
  window.addEventListener("popstate", showApplication, { once: true });
  const leave = (path: string, { replace }: { replace: boolean }) => {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    void showApplication();
  };
  return <AuthStart onLeave={leave} />;
}

interface AuthStartProps {
  onLeave: (path: string, options: { replace: boolean }) => void;
}

export function AuthStart({ onLeave }: AuthStartProps) {
  useLayoutEffect(reportFirstPage, []);
  return (
    <AuthPage
      redirect={new URLSearchParams(window.location.search).get("redirect")}
      onLeave={onLeave}
    />
  );
}
