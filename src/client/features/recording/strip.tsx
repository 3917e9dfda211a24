import { Link } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { type TargetLanguage, targetLanguages } from "../../../shared/languages.ts";
import { type MessageKey, useT } from "../../i18n/index.ts";
import { storeTargetLanguage } from "../../lib/preferences.ts";
import { useField, useValue } from "../../lib/signal.ts";
import { useSubscription } from "../../lib/subscription.ts";
import { leftOf } from "../../realtime/allowance.ts";
import type { RecordingSession, SaveState } from "../../realtime/contract.ts";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { ContextField } from "./context-field.tsx";
import { honestyOf } from "./status.ts";
import { Honesty, Status } from "./status-mark.tsx";

interface StripProps {
  session: RecordingSession;
  signedIn: boolean;
  /** Shows and hides the lectures. */
  sidebarToggle: ReactNode;
}

/**
 * What is going on, in one line above the page, and what it goes on with: beside it where there is
 * room, on a second line where there is less, and folded away on a phone.
 */
export function Strip({ session, signedIn, sidebarToggle }: StripProps) {
  const t = useT();
  const settings = useId();
  const [unfolded, setUnfolded] = useState(false);
  return (
    <div className="flex min-h-13.5 flex-wrap items-center gap-x-3.5 gap-y-2 border-rule border-b py-2 pr-7 pl-3 max-book:pr-3 max-sm:px-2">
      {/* On a phone one line that never breaks; elsewhere its parts stand among the others. */}
      <div className="flex min-w-0 basis-full items-center gap-x-1.5 sm:contents">
        {sidebarToggle}
        <Status session={session} />
        <SaveNote session={session} />
        <IconButton
          label={t("record.more")}
          aria-expanded={unfolded}
          aria-controls={settings}
          onClick={() => setUnfolded(!unfolded)}
          className="sm:hidden"
        >
          <ChevronDown
            className={`size-4.5 transition-transform duration-150 ease-quiet ${unfolded ? "rotate-180" : ""}`}
            aria-hidden="true"
          />
        </IconButton>
      </div>
      <Honesty session={session} />
      {signedIn ? <AllowanceLeft session={session} className="max-sm:hidden" unlessHonest /> : null}
      <div
        id={settings}
        className={`flex min-w-0 items-center gap-2 max-book:order-2 max-book:basis-full book:flex-1 book:basis-80 max-sm:flex-col max-sm:items-stretch ${unfolded ? "" : "max-sm:hidden"}`}
      >
        {signedIn ? <AllowanceLeft session={session} className="sm:hidden" /> : null}
        <ContextField session={session} />
        <TargetSelect session={session} />
      </div>
    </div>
  );
}

interface AllowanceLeftProps {
  session: RecordingSession;
  className: string;
  /** Makes room for what somebody should know first. */
  unlessHonest?: boolean;
}

/** Of this month: as the room counts it while recording, otherwise as the account has it. */
function AllowanceLeft({ session, className, unlessHonest = false }: AllowanceLeftProps) {
  const t = useT();
  const view = useValue(session.view);
  const { info, state } = useSubscription();
  const counted = view.status === "recording" ? view.usage : null;
  if ((!counted && state !== "known") || (unlessHonest && honestyOf(view))) return null;
  const left = leftOf(
    counted ?? { usedSeconds: info.timeUsedThisMonth, limitSeconds: info.hourLimit * 3600 },
  );
  const dress = `tabular whitespace-nowrap text-sm ${className}`;
  if (left === 0) {
    return (
      <span className={`text-seal-text ${dress}`}>
        {t("record.nothingLeft")}{" "}
        <Link
          to="/profile"
          state={{ view: "subscription" }}
          className="touch-target ml-1 underline underline-offset-3"
        >
          {t("record.toPlans")}
        </Link>
      </span>
    );
  }
  return (
    <span className={`text-ink-3 ${dress}`}>
      {left < 3600
        ? t("record.minutesLeft", { minutes: Math.ceil(left / 60) })
        : t("record.hoursLeft", { hours: (left / 3600).toFixed(1) })}
    </span>
  );
}

function TargetSelect({ session }: { session: RecordingSession }) {
  const t = useT();
  const value = useField(session.view, "targetLanguage");
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
      className="shrink-0 max-sm:justify-between"
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

/** What is said in full elsewhere, where there is no room for it. */
const shortSaves: Partial<Record<SaveState, MessageKey>> = {
  retrying: "record.save.unsaved",
  local: "record.save.notSaved",
};

function SaveNote({ session }: { session: RecordingSession }) {
  const t = useT();
  const { save, lecture, status } = useValue(session.view);
  if (!lecture && status === "ready") return <span className="ml-auto sm:hidden" />;
  return (
    <span
      className={`flex min-w-0 items-center gap-1.5 whitespace-nowrap text-xs max-book:ml-auto sm:order-1 ${saveLooks[save]}`}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className={save in shortSaves ? "max-sm:sr-only" : "truncate"}>
        {t(`record.save.${save}`)}
      </span>
      {shortSaves[save] ? (
        <span aria-hidden="true" className="truncate sm:hidden">
          {t(shortSaves[save])}
        </span>
      ) : null}
    </span>
  );
}
