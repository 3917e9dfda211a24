import { ChevronDown } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useId, useState } from "react";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { storeTargetLanguage } from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Select } from "#client/ui/select.tsx";
import { type TargetLanguage, targetLanguages } from "#shared/languages.ts";
import { ContextInput } from "./context-input.tsx";
import { engineMessages } from "./engine-messages/index.ts";
import { useT } from "./messages/index.ts";
import { getShownSaveState, getStatusWarning, unsavedShownMs } from "./status.ts";
import { Status, StatusWarning } from "./status-warning.tsx";

const AllowanceLeft = lazyPartAfterPaint(() => import("./allowance-left.tsx"), engineMessages);

interface StatusBarProps {
  session: RecordingSession;
  signedIn: boolean;
  /** The sample lecture is shown. */
  isSample: boolean;
  sidebarToggle: ReactNode;
  /** On a phone. */
  share: ReactNode;
}

/**
 * Status, message and settings: one line on a wide screen, two on a narrow one and on a phone, where the
 * settings are collapsed. Its height and the places of its parts do not depend on the texts.
 */
export function StatusBar({ session, signedIn, isSample, sidebarToggle, share }: StatusBarProps) {
  const t = useT();
  const settings = useId();
  const [areSettingsOpen, setSettingsOpen] = useState(false);
  return (
    <div className="flex min-h-13.5 flex-wrap items-center gap-x-3.5 border-rule border-b py-2 pr-7 pl-3 max-book:pr-3 max-sm:px-2 max-sm:pt-1 sm:gap-y-2 book:flex-nowrap">
      <div className="flex min-w-0 basis-full items-center gap-x-1.5 sm:contents">
        {sidebarToggle}
        <div className="sm:min-w-44">
          <Status session={session} isSample={isSample} />
        </div>
        <div className="ml-auto sm:hidden">{share}</div>
        <IconButton
          label={t("record.more")}
          aria-expanded={areSettingsOpen}
          aria-controls={settings}
          onClick={() => setSettingsOpen(!areSettingsOpen)}
          className="sm:hidden"
        >
          <ChevronDown
            className={`size-4.5 transition-transform duration-150 ease-quiet ${areSettingsOpen ? "rotate-180" : ""}`}
            aria-hidden="true"
          />
        </IconButton>
      </div>
      <div className="flex h-5 min-w-0 basis-full items-center justify-between gap-x-3 px-2 sm:contents">
        {/* Padded on a phone, because it would cut off the touch targets in it. */}
        <div className="min-w-0 max-sm:empty:hidden max-sm:pointer-events-none max-sm:-my-3 max-sm:truncate max-sm:py-3 max-sm:[&_:is(a,button)]:pointer-events-auto sm:line-clamp-2 sm:flex-1 sm:leading-snug">
          <StatusWarning session={session} />
          <Suspense>
            <AllowanceLeft session={session} signedIn={signedIn} />
          </Suspense>
        </div>
        <SaveStatus session={session} />
      </div>
      <div
        id={settings}
        className={`flex min-w-0 items-center gap-2 max-book:order-2 max-book:basis-full max-sm:mt-2 max-sm:flex-col max-sm:items-stretch book:w-[clamp(18rem,38%,30rem)] book:shrink-0 ${areSettingsOpen ? "" : "max-sm:hidden"}`}
      >
        <ContextInput session={session} />
        <TargetSelect session={session} />
      </div>
    </div>
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

type ShownSaveState = ReturnType<typeof getShownSaveState>;

const saveStateColors: Partial<Record<ShownSaveState, string>> = {
  saved: "text-jade",
  retrying: "text-warn",
};

/** The state of saving, which changes by itself after some time. */
function useShownSaveState(session: RecordingSession): ShownSaveState {
  const saveState = useField(session.view, "saveState");
  const unsavedSince = useField(session.view, "unsavedSince");
  const [, setRenderedAt] = useState(0);
  useEffect(() => {
    if (unsavedSince === null) return;
    const delayMs = unsavedSince + unsavedShownMs - Date.now();
    const timer = setTimeout(() => setRenderedAt(Date.now()), delayMs);
    return () => clearTimeout(timer);
  }, [unsavedSince]);
  return getShownSaveState({ saveState, unsavedSince }, Date.now());
}

function SaveStatus({ session }: { session: RecordingSession }) {
  const t = useT();
  const view = useValue(session.view);
  const save = useShownSaveState(session);
  // A guest's page says before the recording that it keeps nothing.
  const isEmpty = !view.lecture && view.status === "ready" && save !== "local";
  // On a phone a warning needs the whole line.
  const hidden = getStatusWarning(view) ? "max-sm:hidden" : "";
  return (
    // Its text is kinder than the state, for which tests wait.
    <span
      data-save-state={view.saveState}
      className={`flex items-center gap-1.5 whitespace-nowrap text-xs sm:min-w-36 sm:justify-end ${hidden} ${saveStateColors[save] ?? "text-ink-3"}`}
    >
      {isEmpty ? null : (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
          {t(`record.save.${save}`)}
        </>
      )}
    </span>
  );
}
