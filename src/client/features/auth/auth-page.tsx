import type { HistoryState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { formMessages } from "#client/i18n/forms/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toSameOriginPath } from "#client/lib/redirect.ts";
import { useTitle } from "#client/lib/title.ts";
import { hasGuestTranscript } from "#client/state/recording.ts";
import { visitor } from "#client/state/visitor.ts";
import { AuthCard } from "./auth-card.tsx";
import { BrandSide } from "./brand-side.tsx";
import { useT } from "./messages/index.ts";

// Only shown to signed-in users who want another link.
const NewLinkCard = lazyPart(() => import("./new-link-card.tsx"), formMessages);

interface AuthPageProps {
  /** The parameter of the address: where the visitor wanted to go. */
  redirect: unknown;
  /** What the navigation to this page has passed. */
  state?: HistoryState;
  /** Shows the page at `path`; `replace`: instead of this one in the history. */
  onLeave: (path: string, options: { replace: boolean }) => void;
}

export function AuthPage({ redirect, state = {}, onLeave }: AuthPageProps) {
  const { forgotten = false, signUp = false, unconfirmed = false } = state;
  const t = useT();
  const redirectPath = toSameOriginPath(redirect, window.location.origin);
  const who = useValue(visitor);
  const signedIn = who.kind === "user";
  // Decided once: a user who signs in on this page is redirected as usual.
  const [wantsLink] = useState(signedIn && (forgotten || (unconfirmed && !who.user.emailVerified)));
  const isLeaving = signedIn && !wantsLink;
  useTitle(t("title.auth"));

  // Also after a sign-in in another tab.
  useEffect(() => {
    if (isLeaving) onLeave(redirectPath ?? "/", { replace: true });
  }, [isLeaving, redirectPath, onLeave]);

  if (isLeaving) return null;
  return (
    <div className="grid min-h-dvh book:grid-cols-[1.1fr_1fr] max-book:grid-rows-[auto_1fr]">
      <BrandSide />
      <main className="grid px-6 py-2 book:justify-items-center book:px-8 book:pt-[max(3rem,calc(50dvh-12rem))]">
        <div className="w-full max-w-95 max-book:mx-auto">
          <h1 className="sr-only">{t("auth.signIn")}</h1>
          {signedIn ? (
            <NewLinkCard fallback={null} user={who.user} forgotten={forgotten} />
          ) : (
            <AuthCard
              forgotten={forgotten}
              signUp={signUp}
              keepsTranscript={hasGuestTranscript()}
              onGuest={() => onLeave(redirectPath ?? "/record", { replace: false })}
            />
          )}
        </div>
      </main>
    </div>
  );
}
