import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { chooseTheme, theme } from "#client/state/theme.ts";
import { Seal } from "#client/ui/seal.tsx";
import { Select } from "#client/ui/select.tsx";
import { ThemeButton } from "#client/ui/theme-button.tsx";
import type { TargetLanguage } from "#shared/languages.ts";
import { getOnlyLanguage } from "./device-language.ts";
import { liveMessages, useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";
import { getLiveStatus, type LiveStatus } from "./share-connection.ts";

const LiveActions = lazyPartAfterPaint(() => import("./live-actions.tsx"), liveMessages);

interface LiveHeaderProps {
  session: ReaderSession;
  title: string;
}

/** What is read, its state, and what a reader may choose. Two lines on a phone. */
export function LiveHeader({ session, title }: LiveHeaderProps) {
  const reading = useValue(session.reading);
  const isShown = reading.view !== null;
  const isDark = useValue(theme) === "dark";
  return (
    <header className="flex min-h-14 flex-wrap items-center gap-x-4 border-rule border-b px-5 max-book:gap-x-2.5 max-book:px-3 max-sm:py-1.5">
      <Seal />
      <h1 dir="auto" className="min-w-0 flex-1 truncate font-semibold text-lg tracking-tight">
        {title}
      </h1>
      <div className="flex min-w-0 items-center gap-3 max-sm:order-3 max-sm:basis-full max-sm:justify-between">
        {reading.end === null || isShown ? <StatusLabel status={getLiveStatus(reading)} /> : null}
        {isShown ? <LanguageSelect session={session} /> : null}
      </div>
      <div className="flex shrink-0 items-center max-sm:-mr-1">
        <ThemeButton isDark={isDark} onClick={() => chooseTheme(isDark ? "light" : "dark")} />
        {isShown ? <LiveActions fallback={<span className="size-9" />} session={session} /> : null}
      </div>
    </header>
  );
}

const dots: Record<LiveStatus, string> = {
  connecting: "bg-ink-3 animate-breathe",
  waiting: "bg-ink-3 animate-breathe",
  live: "bg-jade",
  paused: "bg-ink-3",
  finished: "bg-ink-3",
  lost: "bg-warn",
  catchingUp: "bg-warn animate-breathe",
  closed: "bg-ink-3",
};

/** The state of the lecture and of the connection; announced when it changes. */
export function StatusLabel({ status }: { status: LiveStatus }) {
  const t = useT();
  return (
    <p
      role="status"
      data-live-status={status}
      className="flex min-w-0 items-center gap-2 text-ink-2 text-sm"
    >
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${dots[status]}`} />
      <span className="truncate">{t(`live.status.${status}`)}</span>
    </p>
  );
}

function LanguageSelect({ session }: { session: ReaderSession }) {
  const t = useT();
  const nameTarget = useTargetName();
  const { view, language } = useValue(session.reading);
  if (view === null) return null;
  const spoken = getOnlyLanguage(view.lecture);
  const available = view.lecture.languages.filter((one) => one !== spoken);
  const choices: readonly TargetLanguage[] =
    language === "none" || available.includes(language) ? available : [language, ...available];
  return (
    <Select<TargetLanguage>
      label={t("live.language")}
      value={language}
      options={[
        { value: "none", label: t("live.original") },
        ...choices.map((value) => ({
          value,
          // Read when it is shown: the names of all languages take a phone 100 ms.
          get label() {
            return nameTarget(value);
          },
        })),
      ]}
      onChange={session.chooseLanguage}
      className="shrink-0"
    />
  );
}
