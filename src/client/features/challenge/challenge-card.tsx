import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useValue } from "#client/lib/hooks.ts";
import { type PendingChallenge, pendingChallenges } from "#client/state/challenge.ts";
import { theme } from "#client/state/theme.ts";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import { showWidget } from "./turnstile.ts";

/** The challenge that has to be passed now. It is visible when it needs the person or has failed. */
export default function ChallengeCard() {
  const [pending] = useValue(pendingChallenges);
  return pending ? <Challenge pending={pending} /> : null;
}

function Challenge({ pending }: { pending: PendingChallenge }) {
  const t = useT();
  const [phase, setPhase] = useState<"checking" | "interactive" | "failed">("checking");
  const [attempt, setAttempt] = useState(0);
  const card = useRef<HTMLDivElement>(null);
  const slot = useRef<HTMLDivElement>(null);
  const id = useId();
  const language = useLanguage() === "zh" ? "zh-CN" : "en";
  const shownTheme = useValue(theme);
  const isVisible = phase !== "checking";

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt creates a new widget
  useEffect(() => {
    if (!slot.current) return;
    setPhase("checking");
    const look = { action: pending.action, theme: shownTheme, language };
    return showWidget(slot.current, look, {
      onPass: pending.pass,
      onInteractive: () => setPhase("interactive"),
      onFail: () => setPhase("failed"),
    });
  }, [pending, attempt, shownTheme, language]);

  useEffect(() => {
    if (!isVisible) return;
    const before = document.activeElement;
    card.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isVisible]);

  // Beside a dialog that waits for it, which hides the page.
  return createPortal(
    <div
      ref={card}
      role="dialog"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      inert={!isVisible}
      onKeyDown={(event) => {
        if (event.key === "Escape") pending.cancel();
      }}
      className={`fixed inset-x-0 bottom-[max(1rem,env(safe-area-inset-bottom))] z-30 mx-auto grid w-[min(380px,calc(100vw-32px))] gap-4 rounded-l border border-rule bg-sheet p-5 text-ink shadow-sheet outline-none ${isVisible ? "" : "pointer-events-none opacity-0"}`}
    >
      <div className="grid gap-1">
        <h2 id={`${id}-title`} className="font-semibold text-lg tracking-tight">
          {t("challenge.title")}
        </h2>
        <p id={`${id}-text`} className="text-pretty text-ink-2">
          {t(phase === "failed" ? "challenge.failed" : "challenge.text")}
        </p>
      </div>
      <div ref={slot} className="empty:hidden" />
      <div className="flex justify-end gap-2">
        <Button onClick={pending.cancel}>{t("common.cancel")}</Button>
        {phase === "failed" ? (
          <Button look="ink" onClick={() => setAttempt((count) => count + 1)}>
            {t("common.retry")}
          </Button>
        ) : null}
      </div>
    </div>,
    document.body,
  );
}
