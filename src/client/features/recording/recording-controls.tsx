import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { recordingControls, useEdgeOffset } from "#client/reading/edge-offset.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { engineMessages } from "./engine-messages/index.ts";
import { useT } from "./messages/index.ts";
import { MeterBars } from "./meter-bars.tsx";
import { timeOffer } from "./screen-state.ts";
import { getRecordLabel } from "./status.ts";
import { ElapsedTime, Status, StatusWarning } from "./status-warning.tsx";

const AllowanceLeft = lazyPartAfterPaint(() => import("./allowance-left.tsx"), engineMessages);
const FootTools = lazyPartAfterPaint(() => import("./foot-tools.tsx"), readingDialogMessages);

/** Of the page's lower edge, with its default height. */
export const footClass =
  "recording-foot fades absolute inset-x-0 bottom-0 z-1 border-rule border-t bg-paper";

/** Of the lowest window's, the phone's, the low window's and the usual foot: see `--foot`. */
export const getFootRem = (): number =>
  window.matchMedia("(height < 27rem)").matches
    ? 2.75
    : window.matchMedia("(width < 43.75rem)").matches
      ? 4
      : window.matchMedia("(height < 33rem)").matches
        ? 3.25
        : 4.25;

/** Of the button that starts or stops the recording. */
export const recordButtonId = "record-button";

/** Wide enough for most of their labels, so that no label moves a button. */
const buttonClass =
  "text-md min-[43.75rem]:[@media(height>=33rem)]:h-12 max-[43.75rem]:px-3 max-[43.75rem]:text-base max-[22.5rem]:gap-1.5 max-[22.5rem]:px-2.5";
const firstButtonClass = `${buttonClass} min-w-38 max-[43.75rem]:min-w-32 max-[22.5rem]:min-w-28`;
const twoButtonsClass = `${buttonClass} min-w-36 max-[43.75rem]:min-w-25 max-[22.5rem]:min-w-21`;

/** Stop makes room for Continue and Save: a double click on one must not press another. `detail`: of the event. */
const isFirstClick = (detail: number): boolean => detail < 2;

const quietBars = <MeterBars count={10} />;
const LiveMeter = lazy(() =>
  import("./live-meter.tsx").catch(() => ({ default: () => quietBars })),
);

interface RecordingControlsProps {
  session: RecordingSession;
  signedIn: boolean;
  /** The shown lecture: the session's, or one that it opens to record it. */
  document: LectureDocument;
  /** The lecture is being opened to be recorded. */
  isOpening: boolean;
  onRecord: (options?: { engine?: SpeechEngine }) => void;
  onSave: () => void;
}

/** Where the sound is: what is heard and for how long, the recording's buttons, and what helps while one listens. */
export function RecordingControls(props: RecordingControlsProps) {
  const { session, document, signedIn, isOpening, onRecord, onSave } = props;
  const t = useT();
  const { status, busy, canStop } = useValue(session.view);
  const shown = useValue(document.view);
  const offer = useValue(timeOffer);
  const box = useRef<HTMLElement>(null);
  const [footRem] = useState(getFootRem);
  useEdgeOffset("--controls-height", box, footRem);
  useEffect(() => {
    recordingControls.set(box.current);
    return () => recordingControls.set(null);
  }, []);
  const isInSession = useValue(session.lecture) === document;
  const isElsewhere = !isInSession && (status === "recording" || canStop);
  // It goes on from the end of its text: see `RecordingEnd`.
  const isRead = shown.lecture?.status === "completed" && shown.status !== "recording";
  const isMissing = !isInSession && shown.lecture === null;
  const isBusy = busy !== null || shown.busy !== null || isOpening;
  const isStopShown = isInSession && (status === "recording" || canStop);
  // While it records, Save is in the menu: see decision 82.
  const isSaveShown = !isStopShown && shown.status === "paused";
  const mainClass = isSaveShown ? twoButtonsClass : firstButtonClass;
  return (
    <section
      ref={box}
      aria-label={t("record.controls")}
      data-read={(isRead && !isElsewhere) || undefined}
      className={footClass}
    >
      {isElsewhere ? (
        <OtherRecording session={session} />
      ) : isRead ? null : (
        <div data-main className="flex min-w-0 gap-2.5 max-[43.75rem]:gap-1.5">
          {isStopShown ? (
            <Button
              id={recordButtonId}
              look="seal"
              size="pill"
              className={mainClass}
              disabled={!canStop}
              aria-keyshortcuts="s"
              onClick={({ detail }) => isFirstClick(detail) && session.stop()}
            >
              <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-current" />
              {t("record.stop")}
              <KeyHint>S</KeyHint>
            </Button>
          ) : offer ? (
            <OfferButton
              offer={offer}
              disabled={isBusy || isMissing}
              className={mainClass}
              onRecord={onRecord}
            />
          ) : (
            <Button
              id={recordButtonId}
              look={isSaveShown ? "plain" : "seal"}
              size="pill"
              className={mainClass}
              disabled={isBusy || isMissing}
              aria-keyshortcuts="r"
              onPointerEnter={() => session.preload()}
              onFocus={() => session.preload()}
              onClick={({ detail }) => isFirstClick(detail) && onRecord()}
            >
              <span
                aria-hidden="true"
                className={`size-2.75 rounded-full ${isSaveShown ? "bg-seal" : "bg-current"}`}
              />
              {t(getRecordLabel(shown))}
              {isSaveShown ? null : <KeyHint>R</KeyHint>}
            </Button>
          )}
          {isSaveShown ? (
            <Button
              data-second
              look="ink"
              size="pill"
              className={mainClass}
              disabled={isBusy}
              aria-keyshortcuts="Control+s"
              onClick={({ detail }) => isFirstClick(detail) && onSave()}
            >
              {t("record.save")}
            </Button>
          ) : null}
        </div>
      )}
      {isInSession && status !== "ready" && !isRead ? (
        <FootTools lecture={document} isRecording={status === "recording"} />
      ) : null}
      <Clock session={session} document={document} signedIn={signedIn} isRead={isRead} />
    </section>
  );
}

interface ClockProps extends Pick<RecordingControlsProps, "session" | "document" | "signedIn"> {
  /** A finished lecture, of which the head says all. */
  isRead: boolean;
}

/** The level, the recorded time, and what is going on; before a recording, how much time is left. */
function Clock({ session, document, signedIn, isRead }: ClockProps) {
  const status = useField(document.view, "status");
  const isInSession = useValue(session.lecture) === document;
  const microphone = useField(session.view, "microphone");
  const isHearing =
    isInSession && status === "recording" && (microphone === "on" || microphone === "silent");
  return (
    <div
      data-clock
      className={`flex min-w-0 items-center gap-3 text-ink-2 max-[43.75rem]:flex-col max-[43.75rem]:items-start max-[43.75rem]:gap-0.5 ${isRead ? "sr-only" : ""}`}
    >
      {isHearing ? <LevelMeter session={session} /> : null}
      {status === "ready" ? null : <ElapsedTime document={document} />}
      {/* Read by everybody where there is room, and by screen readers everywhere. */}
      <Status session={session} document={document} className="max-[43.75rem]:sr-only" />
      {isInSession ? (
        <span className="min-w-0 truncate max-[43.75rem]:hidden">
          <StatusWarning session={session} />
        </span>
      ) : null}
      <span className="min-w-0 text-pretty leading-tight empty:hidden">
        <AllowanceLeft session={session} signedIn={signedIn} isShown={status === "ready"} />
      </span>
    </div>
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
    <div data-main className="flex min-w-0 items-center gap-3">
      <p className="flex min-w-0 items-baseline gap-2 sm:max-w-[24em]">
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
  className: string;
}

/** In place of Record when no time is left. */
function OfferButton({ offer, disabled, className, onRecord }: OfferButtonProps) {
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
      className={className}
      disabled={disabled}
      title={offer === "browser" ? t("record.noTimeBrowser") : undefined}
      onClick={accept}
    >
      {t(offerLabels[offer])}
    </Button>
  );
}

/** The recent levels of what is recorded. Decorative: what is missing is told in words. */
const LevelMeter = ({ session }: { session: RecordingSession }) => (
  <div
    data-level
    aria-hidden="true"
    className="h-5.5 shrink-0 max-[43.75rem]:h-3.5 max-[43.75rem]:origin-left max-[43.75rem]:scale-y-70"
  >
    <Suspense fallback={quietBars}>
      <LiveMeter session={session} />
    </Suspense>
  </div>
);
