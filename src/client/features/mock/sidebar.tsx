import { Link, type LinkProps } from "@tanstack/react-router";
import {
  BookMarked,
  CalendarDays,
  ChevronDown,
  Folder,
  House,
  type LucideIcon,
  Mic,
  NotebookPen,
  Radio,
  Settings,
  Sparkles,
  UserRound,
  Video,
} from "lucide-react";
import { useId } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatNumber } from "#client/lib/numbers.ts";
import { setSidebarOpen } from "#client/state/preferences.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { UsageMeter } from "#client/ui/usage-meter.tsx";
import { type MessageKey, useT } from "./messages/index.ts";
import { useNotifySample, useSample } from "./sample.tsx";

interface EntryProps {
  label: MessageKey;
  Icon: LucideIcon;
  /** The page that it leads to; without one, it is a button. */
  to?: LinkProps["to"];
  onClick?: () => void;
}

const places: readonly EntryProps[] = [
  { to: "/home2", label: "mock.sidebar.home", Icon: House },
  { to: "/record2", label: "mock.sidebar.record", Icon: Mic },
  { to: "/ai-assistant2", label: "mock.sidebar.assistant", Icon: Sparkles },
  { to: "/courses2", label: "mock.sidebar.courses", Icon: CalendarDays },
  { to: "/notes2", label: "mock.sidebar.notes", Icon: NotebookPen },
  { to: "/knowledge2", label: "mock.sidebar.knowledge", Icon: BookMarked },
];

const hours = { used: 3.2, limit: 10 };

const entryClass =
  "touch-target flex w-full items-center gap-2.5 rounded-s px-2.5 py-1.5 text-left text-ink-2 text-sm transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink aria-[current=page]:bg-paper-3 aria-[current=page]:font-[550] aria-[current=page]:text-ink";

export function Sidebar({ onMeeting }: { onMeeting: () => void }) {
  const t = useT();
  const notifySample = useNotifySample();
  const close = () => setSidebarOpen(false);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        onClick={close}
        className="fixed inset-0 top-14 z-2 bg-veil desk:hidden"
      />
      <nav
        aria-label={t("mock.sidebar.label")}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
        className="z-3 flex min-h-0 flex-col gap-0.5 overflow-y-auto border-rule border-r bg-paper-2 px-2.5 py-3.5 max-desk:fixed max-desk:top-14 max-desk:bottom-0 max-desk:left-0 max-desk:w-[min(320px,86vw)] max-desk:shadow-sheet"
      >
        {places.map((place) => (
          <Entry key={place.label} {...place} />
        ))}
        <hr className="mx-2.5 my-2.5 border-rule" />
        <Entry label="mock.sidebar.meeting" Icon={Video} onClick={onMeeting} />
        <Entry
          label="mock.sidebar.live"
          Icon={Radio}
          onClick={() => notifySample(t("mock.sidebar.live"))}
        />
        <Folders />
        <hr className="mx-2.5 my-2.5 border-rule" />
        <Entry to="/settings2" label="mock.sidebar.settings" Icon={Settings} />
        <Entry to="/profile2" label="mock.sidebar.profile" Icon={UserRound} />
        <Usage />
      </nav>
    </>
  );
}

function Entry({ label, Icon, to, onClick }: EntryProps) {
  const t = useT();
  const content = (
    <>
      <Icon className="size-4 shrink-0" />
      {t(label)}
    </>
  );
  return to ? (
    <Link to={to} className={entryClass}>
      {content}
    </Link>
  ) : (
    <button type="button" onClick={onClick} className={entryClass}>
      {content}
    </button>
  );
}

/** The sample folders, collapsed at first. */
function Folders() {
  const t = useT();
  const { folders } = useSample();
  const notifySample = useNotifySample();
  return (
    <details className="group">
      <summary className={`${entryClass} cursor-pointer [&::-webkit-details-marker]:hidden`}>
        <Folder className="size-4 shrink-0" />
        {t("mock.sidebar.folders")}
        <ChevronDown className="ml-auto size-4 text-ink-3 transition-transform duration-150 ease-quiet group-open:rotate-180" />
      </summary>
      <ul className="mt-0.5 grid gap-0.5 pl-6.5">
        {folders.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => notifySample(t("mock.sidebar.folders"))}
              className={entryClass}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Usage() {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  const text = t("mock.usage.hours", {
    used: formatNumber(hours.used, language, 2),
    limit: formatNumber(hours.limit, language, 2),
  });
  const percent = (hours.used / hours.limit) * 100;
  return (
    <div className="mt-auto grid gap-2 px-2.5 pt-6 pb-1">
      <span id={id} className="font-[550] text-ink-3 text-xs">
        {t("mock.usage.title")}
      </span>
      <UsageMeter labelledBy={id} text={text} percent={percent} />
      <span className="tabular text-ink-2 text-sm">{text}</span>
      <Link to="/subscription2" className={`${getButtonClass({ size: "small" })} mt-1`}>
        {t("mock.usage.subscribe")}
      </Link>
    </div>
  );
}
