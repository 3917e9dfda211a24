import { useNavigate } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { useValue } from "#client/lib/signal.ts";
import { MarkButton } from "#client/reading/lazy-parts.tsx";
import { useToastOffset } from "#client/reading/toast-offset.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Button } from "#client/ui/button.tsx";
import { LevelMeter } from "./level-meter.tsx";
import { useT } from "./messages/index.ts";
import { timeOffer } from "./screen-state.ts";

export const controlsClass =
  "fades absolute bottom-[calc(max(0.5rem,env(safe-area-inset-bottom))+1.75rem)] left-1/2 z-1 flex -translate-x-1/2 items-center gap-2.5 rounded-full border border-rule bg-sheet py-2 pr-2.5 pl-5 shadow-sheet max-sm:w-[calc(100%-1.5rem)] max-sm:justify-between max-sm:pl-4";

/** Of the button that starts or stops the recording. */
export const recordButtonId = "record-button";

/** Wide enough for each of its labels, so that no label moves a button. */
const firstButtonClass = "min-w-34";

interface RecordingControlsProps {
  session: RecordingSession;
  onSave: () => void;
}

export function RecordingControls({ session, onSave }: RecordingControlsProps) {
  const t = useT();
  const { status, busy, microphone, canStop } = useValue(session.view);
  const recording = status === "recording";
  const offer = useValue(timeOffer);
  const box = useRef<HTMLElement>(null);
  useToastOffset("--controls-height", box);
  return (
    <section ref={box} aria-label={t("record.controls")} className={controlsClass}>
      <LevelMeter
        session={session}
        on={recording && (microphone === "on" || microphone === "silent")}
      />
      <div className="flex gap-2.5 max-sm:gap-1">
        <span className="size-11">
          {status === "ready" ? null : (
            <Suspense>
              <MarkButton lecture={session} />
            </Suspense>
          )}
        </span>
        {recording || canStop ? (
          <Button
            id={recordButtonId}
            look="seal"
            size="pill"
            className={firstButtonClass}
            disabled={!canStop}
            aria-keyshortcuts="s"
            onClick={() => session.stop()}
          >
            <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-current" />
            {t("record.stop")}
          </Button>
        ) : offer ? (
          <OfferButton session={session} offer={offer} disabled={busy !== null} />
        ) : (
          <Button
            id={recordButtonId}
            look="seal"
            size="pill"
            className={firstButtonClass}
            disabled={busy !== null}
            aria-keyshortcuts="r"
            onPointerEnter={() => session.preload()}
            onFocus={() => session.preload()}
            onClick={() => session.record()}
          >
            <span aria-hidden="true" className="size-2.75 rounded-full bg-current" />
            {t(status === "paused" ? "record.continue" : "record.start")}
          </Button>
        )}
        <Button
          size="pill"
          disabled={busy !== null || status === "ready"}
          aria-keyshortcuts="Control+s"
          onClick={onSave}
        >
          {t("record.save")}
        </Button>
      </div>
    </section>
  );
}

const offerLabels = {
  browser: "record.useBrowser",
  plans: "record.toPlans",
  signIn: "auth.signIn",
} as const;

interface OfferButtonProps {
  session: RecordingSession;
  offer: keyof typeof offerLabels;
  disabled: boolean;
}

/** In place of Record when no time is left. */
function OfferButton({ session, offer, disabled }: OfferButtonProps) {
  const t = useT();
  const navigate = useNavigate();
  function accept() {
    if (offer === "browser") void session.record({ engine: "browser" });
    else if (offer === "plans") void navigate({ to: "/profile", state: { view: "subscription" } });
    else void navigate({ to: "/auth", search: { redirect: "/record" } });
  }
  return (
    <Button
      id={recordButtonId}
      look="ink"
      size="pill"
      className={`${firstButtonClass} max-sm:px-2.5 max-sm:text-sm`}
      disabled={disabled}
      title={offer === "browser" ? t("record.noTimeBrowser") : undefined}
      onClick={accept}
    >
      {t(offerLabels[offer])}
    </Button>
  );
}
