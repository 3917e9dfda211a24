import { Link } from "@tanstack/react-router";
import {
  BookMarked,
  CalendarDays,
  ChevronDown,
  CreditCard,
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
import { setSidebarOpen } from "#client/state/preferences.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { UsageMeter } from "#client/ui/progress.tsx";
import { useT } from "./messages/index.ts";
import { useNotifySample, useSample } from "./sample.tsx";

/** The pages of the mock-up. */
export const places = {
  home: { to: "/home2", Icon: House },
  record: { to: "/record2", Icon: Mic },
  assistant: { to: "/ai-assistant2", Icon: Sparkles },
  courses: { to: "/courses2", Icon: CalendarDays },
  notes: { to: "/notes2", Icon: NotebookPen },
  knowledge: { to: "/knowledge2", Icon: BookMarked },
  settings: { to: "/settings2", Icon: Settings },
  subscription: { to: "/subscription2", Icon: CreditCard },
  profile: { to: "/profile2", Icon: UserRound },
} as const;
export type MockPage = keyof typeof places;

const listed = ["home", "record", "assistant", "courses", "notes", "knowledge"] as const;
const ownListed = ["settings", "profile"] as const;

const entryClass =
  "touch-target flex w-full items-center gap-2.5 rounded-s px-2.5 py-1.5 text-left text-ink-2 text-sm transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink aria-[current=page]:bg-paper-3 aria-[current=page]:font-[550] aria-[current=page]:text-ink";
const rule = <hr className="mx-2.5 my-2.5 border-rule" />;

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
        {listed.map((page) => (
          <PageLink key={page} page={page} />
        ))}
        {rule}
        <Action name="meeting" Icon={Video} onClick={onMeeting} />
        <Action name="live" Icon={Radio} onClick={() => notifySample("mock.sidebar.live")} />
        <Folders />
        {rule}
        {ownListed.map((page) => (
          <PageLink key={page} page={page} />
        ))}
        <Usage />
      </nav>
    </>
  );
}

function PageLink({ page }: { page: MockPage }) {
  const t = useT();
  const { to, Icon } = places[page];
  return (
    <Link to={to} className={entryClass}>
      <Icon className="size-4 shrink-0" />
      {t(`mock.${page}.title`)}
    </Link>
  );
}

interface ActionProps {
  name: "meeting" | "live";
  Icon: LucideIcon;
  onClick: () => void;
}

function Action({ name, Icon, onClick }: ActionProps) {
  const t = useT();
  return (
    <button type="button" onClick={onClick} className={entryClass}>
      <Icon className="size-4 shrink-0" />
      {t(`mock.sidebar.${name}`)}
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
              onClick={() => notifySample("mock.sidebar.folders")}
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
  const id = useId();
  const text = t("mock.usage.hours");
  return (
    <div className="mt-auto grid gap-2 px-2.5 pt-6 pb-1">
      <span id={id} className="font-[550] text-ink-3 text-xs">
        {t("mock.usage.title")}
      </span>
      <UsageMeter labelledBy={id} text={text} percent={32} />
      <span className="tabular text-ink-2 text-sm">{text}</span>
      <Link to="/subscription2" className={`${getButtonClass({ size: "small" })} mt-1`}>
        {t("mock.usage.subscribe")}
      </Link>
    </div>
  );
}
