import type { HistoryState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { formMessages } from "#client/i18n/forms/index.ts";
import { OtherLanguageButton } from "#client/i18n/language-switch.tsx";
import { useBusy, useValue } from "#client/lib/hooks.ts";
import { lazyPart, notifyLoadFailure } from "#client/lib/lazy.tsx";
import { toSameOriginPath } from "#client/lib/redirect.ts";
import { useTitle } from "#client/lib/title.ts";
import { hasGuestTranscript } from "#client/state/recording.ts";
import { chooseTheme, theme } from "#client/state/theme.ts";
import { visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { ThemeButton } from "#client/ui/theme-button.tsx";
import { invitationParam } from "#shared/invitation.ts";
import type { AuthTab } from "./auth-dialog.tsx";
import { useT } from "./messages/index.ts";
import { languageCount, OwnLanguageNames } from "./own-language-names.tsx";
import { Sample } from "./sample.tsx";

const AuthDialog = lazyPart(() => import("./auth-dialog.tsx"), formMessages);
const preload = () => void AuthDialog.preload().catch(() => {});
/** Of the buttons that open it. */
const preloads = { onPointerEnter: preload, onFocus: preload };

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

/** The invitation with which this page was opened; null without one. */
const readInvitation = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get(invitationParam);

/** What the product is, for somebody who comes for the first time, and the ways into it. */
export function AuthPage({ redirect, state = {}, onLeave }: AuthPageProps) {
  const { forgotten = false, signUp = false, unconfirmed = false } = state;
  const t = useT();
  const redirectPath = toSameOriginPath(redirect, window.location.origin);
  const who = useValue(visitor);
  const signedIn = who.kind === "user";
  // Decided once: a user who signs in on this page is redirected as usual.
  const [wantsLink] = useState(signedIn && (forgotten || (unconfirmed && !who.user.emailVerified)));
  const [invitation] = useState(readInvitation);
  const isLeaving = signedIn && !wantsLink;
  const [tab, setTab] = useState<AuthTab | null>(null);
  useTitle(t("title.auth"));

  // Also after a sign-in in another tab.
  useEffect(() => {
    if (isLeaving) onLeave(redirectPath ?? "/", { replace: true });
  }, [isLeaving, redirectPath, onLeave]);
  // Who was sent here from another page wants to sign in. Not at first: the document shows the page without the dialog.
  const wantsAccount = signUp || invitation !== null;
  const wantsDialog = wantsAccount || forgotten || redirectPath !== null;
  useEffect(() => {
    if (wantsDialog) setTab(wantsAccount ? "signUp" : "signIn");
  }, [wantsDialog, wantsAccount]);

  if (isLeaving) return null;
  return (
    <div className="min-h-dvh">
      <Head onSignIn={signedIn ? null : () => setTab("signIn")} />
      {signedIn ? (
        <main className="page-frame pt-11 pb-20 max-sm:pt-7">
          <h1 className="sr-only">{t("auth.signIn")}</h1>
          <div className="max-w-95">
            <NewLinkCard fallback={null} user={who.user} forgotten={forgotten} />
          </div>
        </main>
      ) : (
        <Introduction
          onSignUp={() => setTab("signUp")}
          onRecord={() => onLeave("/record", { replace: false })}
        />
      )}
      {signedIn || tab === null ? null : (
        <AuthDialog
          firstTab={tab}
          forgotten={forgotten}
          invitation={invitation}
          keepsTranscript={hasGuestTranscript()}
          onClose={() => setTab(null)}
          onGuest={() => onLeave(redirectPath ?? "/record", { replace: false })}
        />
      )}
    </div>
  );
}

/** @param onSignIn null where somebody is signed in. */
function Head({ onSignIn }: { onSignIn: (() => void) | null }) {
  const t = useT();
  const isDark = useValue(theme) === "dark";
  return (
    <header className="page-frame flex h-14 items-center gap-1">
      <Seal />
      <b className="ml-1.5 font-semibold text-lg tracking-tight max-[22.5rem]:hidden">
        {t("brand.both")}
      </b>
      <span className="flex-1" />
      <ThemeButton isDark={isDark} onClick={() => chooseTheme(isDark ? "light" : "dark")} />
      <OtherLanguageButton />
      {onSignIn ? (
        <Button look="quiet" {...preloads} onClick={onSignIn} className="-mr-3 px-3">
          {t("auth.signIn")}
        </Button>
      ) : null}
    </header>
  );
}

function Introduction({ onSignUp, onRecord }: { onSignUp: () => void; onRecord: () => void }) {
  const t = useT();
  const [busy, run] = useBusy();

  const enterAsGuest = () =>
    run(async () => {
      const [{ submitGuest }] = await Promise.all([import("./submit.ts"), formMessages.load()]);
      if (await submitGuest()) onRecord();
    }).catch(notifyLoadFailure);

  return (
    <main
      id="content"
      className="page-frame grid grid-cols-[minmax(0,1fr)] items-center gap-x-16 gap-y-10 pt-[clamp(1rem,5vh,3.5rem)] pb-12 book:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
    >
      <div>
        <h1 className="text-balance font-[650] text-[clamp(1.75rem,1.2rem+2.4vw,2.75rem)] leading-[1.16] tracking-tight [:lang(zh)_&]:break-keep [:lang(zh)_&]:wrap-anywhere [:lang(zh)_&]:tracking-normal">
          {t("auth.headline")}
        </h1>
        <p className="mt-4 max-w-[34rem] text-pretty text-ink-2 text-lg leading-[1.55]">
          {t("auth.lead")}
        </p>
        <div className="mt-7 flex flex-wrap items-center gap-3">
          <Button look="seal" size="pill" disabled={busy} onClick={() => void enterAsGuest()}>
            <span aria-hidden="true" className="size-2.5 rounded-full bg-current" />
            {t("auth.record")}
          </Button>
          <Button size="pill" disabled={busy} {...preloads} onClick={onSignUp}>
            {t("auth.createAccount")}
          </Button>
        </div>
        <p className="mt-3 max-w-[34rem] text-pretty text-ink-3 text-sm">{t("auth.free")}</p>
      </div>
      <Sample />
      <section className="border-rule border-t pt-5 book:col-span-2">
        <h2 className="mb-2 font-[550] text-ink-3 text-sm">
          {t("auth.languages", { count: languageCount })}
        </h2>
        <OwnLanguageNames />
      </section>
    </main>
  );
}
