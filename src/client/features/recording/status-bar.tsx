import { ChevronDown } from "lucide-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession, SaveState } from "#client/realtime/session-types.ts";
import { storeTargetLanguage } from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Select } from "#client/ui/select.tsx";
import { type TargetLanguage, targetLanguages } from "#shared/languages.ts";
import { ContextField } from "./context-field.tsx";
import { type MessageKey, recordingMessages, useT } from "./messages/index.ts";
import { Status, StatusWarning } from "./status-warning.tsx";

const AllowanceLeft = lazyPartAfterPaint(() => import("./allowance-left.tsx"), recordingMessages);

interface StatusBarProps {
  session: RecordingSession;
  signedIn: boolean;
  sidebarToggle: ReactNode;
}

/** Status, warning, allowance and settings. One line on a wide screen, two on a narrow one, collapsed on a phone. */
export function StatusBar({ session, signedIn, sidebarToggle }: StatusBarProps) {
  const t = useT();
  const settings = useId();
  const [areSettingsOpen, setSettingsOpen] = useState(false);
  return (
    <div className="flex min-h-13.5 flex-wrap items-center gap-x-3.5 gap-y-2 border-rule border-b py-2 pr-7 pl-3 max-book:pr-3 max-sm:px-2">
      {/* On a phone one line that never wraps; on wider screens its parts flow with the others. */}
      <div className="flex min-w-0 basis-full items-center gap-x-1.5 sm:contents">
        {sidebarToggle}
        <Status session={session} />
        <SaveStatus session={session} />
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
      <StatusWarning session={session} />
      {signedIn ? (
        <Suspense>
          <AllowanceLeft session={session} className="max-sm:hidden" hiddenByWarning />
        </Suspense>
      ) : null}
      <div
        id={settings}
        className={`flex min-w-0 items-center gap-2 max-book:order-2 max-book:basis-full book:flex-1 book:basis-80 max-sm:flex-col max-sm:items-stretch ${areSettingsOpen ? "" : "max-sm:hidden"}`}
      >
        {signedIn ? (
          <Suspense>
            <AllowanceLeft session={session} className="sm:hidden" />
          </Suspense>
        ) : null}
        <ContextField session={session} />
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

const saveStateColors: Partial<Record<SaveState, string>> = {
  saved: "text-jade",
  retrying: "text-warn",
};

/** Short texts for a phone, where the full ones do not fit. */
const shortSaveMessages: Partial<Record<SaveState, MessageKey>> = {
  retrying: "record.save.unsaved",
  local: "record.save.notSaved",
};

function SaveStatus({ session }: { session: RecordingSession }) {
  const t = useT();
  const { saveState: save, lecture, status } = useValue(session.view);
  if (!lecture && status === "ready") return <span className="ml-auto sm:hidden" />;
  return (
    <span
      className={`flex min-w-0 items-center gap-1.5 whitespace-nowrap text-xs max-book:ml-auto sm:order-1 ${saveStateColors[save] ?? "text-ink-3"}`}
    >
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      <span className={save in shortSaveMessages ? "max-sm:sr-only" : "truncate"}>
        {t(`record.save.${save}`)}
      </span>
      {shortSaveMessages[save] ? (
        <span aria-hidden="true" className="truncate sm:hidden">
          {t(shortSaveMessages[save])}
        </span>
      ) : null}
    </span>
  );
}
