import { AArrowDown, AArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { type TargetLanguage, targetLanguages } from "../../../shared/languages.ts";
import { useT } from "../../i18n/index.ts";
import { formatClock } from "../../lib/dates.ts";
import {
  nextSize,
  readingSize,
  stepReadingSize,
  storeTargetLanguage,
} from "../../lib/preferences.ts";
import { useValue } from "../../lib/signal.ts";
import { useSubscription } from "../../lib/subscription.ts";
import type { RecordingSession, SaveState, SessionView } from "../../realtime/contract.ts";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { honestyOf, statusOf } from "./status.ts";

interface StripProps {
  session: RecordingSession;
  signedIn: boolean;
  /** Shows and hides the lectures. */
  sidebarToggle: ReactNode;
}

/** What is going on, in one line above the page. */
export function Strip({ session, signedIn, sidebarToggle }: StripProps) {
  const t = useT();
  const view = useValue(session.view);
  return (
    <div className="flex min-h-13.5 flex-wrap items-center gap-x-3.5 gap-y-1 border-rule border-b py-2 pr-7 pl-3 max-book:pr-3">
      {sidebarToggle}
      <Status view={view} />
      <span className="tabular text-ink-2" title={t("record.elapsed")}>
        <span className="sr-only">{t("record.elapsed")} </span>
        {formatClock(view.recordedSeconds)}
      </span>
      {signedIn ? <AllowanceLeft usage={view.usage} /> : null}
      <div className="ml-auto flex items-center gap-2 max-book:order-1 max-book:ml-0 max-book:w-full">
        <ReadingSize />
        <TargetSelect session={session} value={view.targetLanguage} />
      </div>
      {view.lecture || view.status !== "ready" ? <SaveNote state={view.save} /> : null}
    </div>
  );
}

function Status({ view }: { view: SessionView }) {
  const t = useT();
  const recording = view.status === "recording";
  const honesty = honestyOf(view);
  return (
    <div className="flex items-center gap-2.5">
      <span
        aria-hidden="true"
        className={`size-2.25 rounded-full ${recording ? "bg-seal ring-4 ring-seal-wash" : "bg-ink-3"}`}
      />
      <span role="status" className="font-[550]">
        {t(statusOf(view))}
      </span>
      {honesty ? (
        <span className="tabular text-ink-2 text-sm">{t(honesty.key, honesty.values)}</span>
      ) : null}
    </div>
  );
}

/** Of this month: as the room counts it while recording, otherwise as the account has it. */
function AllowanceLeft({ usage }: { usage: SessionView["usage"] }) {
  const t = useT();
  const { info, state } = useSubscription();
  if (!usage && state !== "known") return null;
  const left = usage
    ? usage.limitSeconds - usage.usedSeconds
    : info.hourLimit * 3600 - info.timeUsedThisMonth;
  return (
    <span className="tabular text-ink-3 text-sm max-book:hidden">
      {left <= 0
        ? t("record.nothingLeft")
        : left < 3600
          ? t("record.minutesLeft", { minutes: Math.ceil(left / 60) })
          : t("record.hoursLeft", { hours: (left / 3600).toFixed(1) })}
    </span>
  );
}

function ReadingSize() {
  const t = useT();
  const size = useValue(readingSize);
  return (
    <div className="flex">
      <IconButton
        label={t("record.textSmaller")}
        disabled={nextSize(size, -1) === null}
        onClick={() => stepReadingSize(-1)}
      >
        <AArrowDown className="size-4.5" aria-hidden="true" />
      </IconButton>
      <IconButton
        label={t("record.textLarger")}
        disabled={nextSize(size, 1) === null}
        onClick={() => stepReadingSize(1)}
      >
        <AArrowUp className="size-4.5" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function TargetSelect({ session, value }: { session: RecordingSession; value: TargetLanguage }) {
  const t = useT();
  return (
    <Select<TargetLanguage>
      label={t("record.targetLanguage")}
      value={value}
      options={targetLanguages.map((language) => ({
        value: language,
        label: t(`target.${language}`),
      }))}
      onChange={(language) => {
        storeTargetLanguage(language);
        session.setTargetLanguage(language);
      }}
      className="max-book:flex-1 max-book:justify-between"
    />
  );
}

const saveLooks: Record<SaveState, string> = {
  saved: "text-jade",
  saving: "text-ink-3",
  unsaved: "text-ink-3",
  retrying: "text-seal-text",
  local: "text-ink-3",
};

function SaveNote({ state }: { state: SaveState }) {
  const t = useT();
  return (
    <span
      className={`flex items-center gap-1.5 whitespace-nowrap text-xs max-book:ml-auto ${saveLooks[state]}`}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {t(`record.save.${state}`)}
    </span>
  );
}
