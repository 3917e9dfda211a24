import { getRouteApi, useRouter, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { AuthCard } from "#client/features/auth/auth-card.tsx";
import { BrandSide } from "#client/features/auth/brand-side.tsx";
import { useT } from "#client/features/auth/messages/index.ts";
import { formMessages } from "#client/i18n/forms/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toSameOriginPath } from "#client/lib/redirect.ts";
import { useValue } from "#client/lib/signal.ts";
import { useTitle } from "#client/lib/title.ts";
import { visitor } from "#client/state/auth.ts";
import { hasGuestTranscript } from "#client/state/recording.ts";

const route = getRouteApi("/auth");

// Only shown to signed-in users who want another link.
const NewLinkCard = lazyPart(() => import("#client/features/auth/new-link-card.tsx"), formMessages);

export default function AuthPage() {
  const t = useT();
  const { history } = useRouter();
  const redirectPath = toSameOriginPath(route.useSearch().redirect, window.location.origin);
  const {
    forgotten = false,
    unconfirmed = false,
    signUp = false,
  } = useRouterState({
    select: ({ location }) => location.state,
  });
  const who = useValue(visitor);
  const signedIn = who.kind === "user";
  // Decided once: a user who signs in on this page is redirected as usual.
  const [wantsLink] = useState(signedIn && (forgotten || (unconfirmed && !who.user.emailVerified)));
  const isLeaving = signedIn && !wantsLink;
  useTitle(t("title.auth"));

  // Also after a sign-in in another tab.
  useEffect(() => {
    if (isLeaving) history.replace(redirectPath ?? "/");
  }, [isLeaving, redirectPath, history]);

  if (isLeaving) return null;
  return (
    <div className="grid min-h-dvh book:grid-cols-[1.1fr_1fr] max-book:grid-rows-[auto_1fr]">
      <BrandSide />
      <main className="grid px-6 py-2 book:justify-items-center book:px-8 book:pt-[max(3rem,calc(50dvh-12rem))]">
        <div className="w-full max-w-95 max-book:mx-auto">
          <h1 className="sr-only">{t("auth.signIn")}</h1>
          {signedIn ? (
            <Suspense fallback={null}>
              <NewLinkCard user={who.user} forgotten={forgotten} />
            </Suspense>
          ) : (
            <AuthCard
              forgotten={forgotten}
              signUp={signUp}
              keepsTranscript={hasGuestTranscript()}
              onGuest={() => history.push(redirectPath ?? "/record")}
            />
          )}
        </div>
      </main>
    </div>
  );
}
