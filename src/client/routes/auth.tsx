import { getRouteApi, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { AuthCard } from "../features/auth/auth-card.tsx";
import { BrandSide } from "../features/auth/brand-side.tsx";
import { useT } from "../i18n/index.ts";
import { visitor } from "../lib/auth.ts";
import { samePath } from "../lib/redirect.ts";
import { useValue } from "../lib/signal.ts";
import { useTitle } from "../lib/title.ts";

const route = getRouteApi("/auth");

export default function AuthPage() {
  const t = useT();
  const { history } = useRouter();
  const wanted = samePath(route.useSearch().redirect, window.location.origin);
  const forgotten = useRouterState({ select: ({ location }) => location.state.forgotten === true });
  const signedIn = useValue(visitor).kind === "user";
  useTitle(t("title.auth"));

  // Also when the sign-in happened in another tab.
  useEffect(() => {
    if (signedIn) history.replace(wanted ?? "/");
  }, [signedIn, wanted, history]);

  if (signedIn) return null;
  return (
    <div className="grid min-h-page book:grid-cols-[1.1fr_1fr] max-book:grid-rows-[auto_1fr]">
      <BrandSide />
      <main className="grid px-6 py-2 book:justify-items-center book:px-8 book:pt-[max(3rem,calc(50dvh-12rem))]">
        <div className="w-full max-w-95 max-book:mx-auto">
          <h1 className="sr-only">{t("auth.signIn")}</h1>
          <AuthCard forgotten={forgotten} onGuest={() => history.push(wanted ?? "/record")} />
        </div>
      </main>
    </div>
  );
}
