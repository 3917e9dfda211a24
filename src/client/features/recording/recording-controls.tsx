import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { recordingControls, useEdgeOffset } from "#client/reading/edge-offset.ts";
import { MarkButton } from "#client/reading/lazy-parts.tsx";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import { MeterBars } from "./meter-bars.tsx";
import { timeOffer } from "./screen-state.ts";
import { getRecordLabel } from "./status.ts";

/** From the top of the controls to the page's lower edge, with the default size of text. */
export const controlsHeightRem = 6.125;

export const controlsClass =
  "recording-controls fades absolute bottom-[calc(max(0.5rem,env(safe-area-inset-bottom))+1.75rem)] left-1/2 z-1 flex -translate-x-1/2 items-center gap-2.5 border border-rule bg-sheet py-2 pr-2.5 pl-5 shadow-sheet max-sm:w-[calc(100%-1.5rem)] max-sm:justify-between max-sm:pl-4";

/** Of the button that starts or stops the recording. */
export const recordButtonId = "record-button";

/** Wide enough for each of their labels, so that no label moves a button. */
const firstButtonClass = "sm:min-w-54 max-sm:flex-1 max-sm:gap-2 max-sm:px-2 max-sm:text-sm";
const secondButtonClass = "sm:min-w-36 max-sm:min-w-25 max-sm:px-2 max-sm:text-sm";

/** Stop and Continue are one button: a double click on one must not press the other. `detail`: of the event. */
const isFirstClick = (detail: number): boolean => detail < 2;

const quietBars = <MeterBars count={10} />;
const LiveMeter = lazy(() =>
  import("./live-meter.tsx").catch(() => ({ default: () => quietBars })),
);

interface RecordingControlsProps {
  session: RecordingSession;
  /** The shown lecture: the session's, or one that it opens to record it. */
  document: LectureDocument;
  /** The lecture is being opened to be recorded. */
  isOpening: boolean;
  onRecord: (options?: { engine?: SpeechEngine }) => void;
  onSave: () => void;
  onNew: () => void;
}

export function RecordingControls(props: RecordingControlsProps) {
  const { session, document, isOpening, onRecord, onSave, onNew } = props;
  const t = useT();
  const { status, busy, microphone, canStop } = useValue(session.view);
  const shown = useValue(document.view);
  const offer = useValue(timeOffer);
  const box = useRef<HTMLElement>(null);
  useEdgeOffset("--controls-height", box, controlsHeightRem);
  useEffect(() => {
    recordingControls.set(box.current);
    return () => recordingControls.set(null);
  }, []);
  const isInSession = useValue(session.lecture) === document;
  const isElsewhere = !isInSession && (status === "recording" || canStop);
  const isFinished = shown.lecture?.status === "completed";
  const isRead = isFinished && shown.status !== "recording";
  const isMissing = !isInSession && shown.lecture === null;
  const isBusy = busy !== null || shown.busy !== null || isOpening;
  return (
    <section ref={box} aria-label={t("record.controls")} className={controlsClass}>
      <LevelMeter
        session={session}
        on={status === "recording" && (microphone === "on" || microphone === "silent")}
      />
      {isElsewhere ? (
        <OtherRecording session={session} />
      ) : (
        <div className="flex min-w-0 gap-2.5 max-sm:flex-1 max-sm:gap-1">
          {isInSession && (status === "recording" || canStop) ? (
            <Button
              id={recordButtonId}
              look="seal"
              size="pill"
              className={firstButtonClass}
              disabled={!canStop}
              aria-keyshortcuts="s"
              onClick={({ detail }) => isFirstClick(detail) && session.stop()}
            >
              <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-current" />
              {t("record.stop")}
              <KeyHint>S</KeyHint>
            </Button>
          ) : offer ? (
            <OfferButton offer={offer} disabled={isBusy || isMissing} onRecord={onRecord} />
          ) : (
            <Button
              id={recordButtonId}
              look={isFinished ? "plain" : "seal"}
              size="pill"
              className={firstButtonClass}
              disabled={isBusy || isMissing}
              aria-keyshortcuts="r"
              onPointerEnter={() => session.preload()}
              onFocus={() => session.preload()}
              onClick={({ detail }) => isFirstClick(detail) && onRecord()}
            >
              <span
                aria-hidden="true"
                className={`size-2.75 rounded-full bg-current ${isFinished ? "max-sm:hidden" : ""}`}
              />
              {t(getRecordLabel(shown))}
              <KeyHint>R</KeyHint>
            </Button>
          )}
          {isFinished || (isMissing && !isBusy) ? (
            <Button
              data-second
              size="pill"
              className={secondButtonClass}
              disabled={busy !== null && busy !== "starting"}
              onClick={onNew}
            >
              {t("record.newLecture")}
            </Button>
          ) : (
            <Button
              data-second
              size="pill"
              className={secondButtonClass}
              disabled={isBusy || shown.status === "ready"}
              aria-keyshortcuts="Control+s"
              onClick={onSave}
            >
              {t("record.save")}
            </Button>
          )}
          {/* After Record for the keyboard. On a phone the buttons of a finished lecture need its place. */}
          <span
            data-mark-place
            className={`-order-1 size-11 shrink-0 ${isRead ? "max-sm:hidden" : ""}`}
          >
            {!isInSession || status === "ready" ? null : <MarkButton lecture={document} />}
          </span>
        </div>
      )}
    </section>
  );
}

/** The key of a button. Not a text of its own: the button's name stays as it is. */
const KeyHint = ({ children }: { children: string }) => (
  <span aria-hidden="true" data-key={children} className="key-hint" />
);

/** While another lecture than the shown one is recorded: its name, and the way back to it. */
function OtherRecording({ session }: Pick<RecordingControlsProps, "session">) {
  const t = useT();
  const language = useLanguage();
  const { lecture, recordedSeconds } = useValue(session.view);
  return (
    <div className="flex min-w-0 items-center gap-3 max-sm:flex-1">
      <p className="flex min-w-0 items-baseline gap-2 max-sm:flex-1 sm:max-w-[24em]">
        <span className="shrink-0 font-[550] text-seal-text text-sm max-sm:sr-only">
          {t("nav.recordingNow")}
        </span>
        <span className="tabular shrink-0 text-ink-2 text-sm">{formatClock(recordedSeconds)}</span>
        <bdi className="truncate text-ink-2 text-sm max-sm:hidden">
          {lecture ? getPageTitle(lecture, language) : null}
        </bdi>
      </p>
      <Link
        to="/record"
        search={lecture ? { lecture: lecture.id } : {}}
        className={getButtonClass({ look: "seal", size: "pill" })}
      >
        {t("crash.toRecording")}
      </Link>
    </div>
  );
}

const offerLabels = {
  browser: "record.useBrowser",
  plans: "record.toPlans",
  signIn: "auth.signIn",
} as const;

interface OfferButtonProps extends Pick<RecordingControlsProps, "onRecord"> {
  offer: keyof typeof offerLabels;
  disabled: boolean;
}

/** In place of Record when no time is left. */
function OfferButton({ offer, disabled, onRecord }: OfferButtonProps) {
  const t = useT();
  const navigate = useNavigate();
  function accept() {
    if (offer === "browser") onRecord({ engine: "browser" });
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

/** The recent levels of what is recorded. Decorative: what is missing is told in words. */
const LevelMeter = ({ session, on }: { session: RecordingSession; on: boolean }) => (
  <div data-level aria-hidden="true" className="h-6.5 sm:mr-2">
    {on ? (
      <Suspense fallback={quietBars}>
        <LiveMeter session={session} />
      </Suspense>
    ) : (
      quietBars
    )}
  </div>
);
