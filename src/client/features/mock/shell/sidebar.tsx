import { Link } from "@tanstack/react-router";
import {
  BookMarked,
  CalendarDays,
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
import { type MessageKey, useT } from "#client/features/mock/messages/index.ts";
import { useNotifySample } from "#client/features/mock/notify-sample.ts";
import { setSidebarOpen } from "#client/state/preferences.ts";
import { entryClass } from "./entry.ts";
import { Folders } from "./folders.tsx";
import { Usage } from "./usage.tsx";

interface Place {
  to:
    | "/home2"
    | "/record2"
    | "/ai-assistant2"
    | "/courses2"
    | "/notes2"
    | "/knowledge2"
    | "/settings2"
    | "/profile2";
  label: MessageKey;
  Icon: LucideIcon;
}

const places: readonly Place[] = [
  { to: "/home2", label: "mock.sidebar.home", Icon: House },
  { to: "/record2", label: "mock.sidebar.record", Icon: Mic },
  { to: "/ai-assistant2", label: "mock.sidebar.assistant", Icon: Sparkles },
  { to: "/courses2", label: "mock.sidebar.courses", Icon: CalendarDays },
  { to: "/notes2", label: "mock.sidebar.notes", Icon: NotebookPen },
  { to: "/knowledge2", label: "mock.sidebar.knowledge", Icon: BookMarked },
];

const ownPlaces: readonly Place[] = [
  { to: "/settings2", label: "mock.sidebar.settings", Icon: Settings },
  { to: "/profile2", label: "mock.sidebar.profile", Icon: UserRound },
];

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
        className="fixed inset-0 top-[calc(3.5rem+var(--bars,0px))] z-2 bg-veil desk:hidden"
      />
      <nav
        aria-label={t("mock.sidebar.label")}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
        className="z-3 flex min-h-0 flex-col gap-0.5 overflow-y-auto border-rule border-r bg-paper-2 px-2.5 py-3.5 max-desk:fixed max-desk:top-[calc(3.5rem+var(--bars,0px))] max-desk:bottom-0 max-desk:left-0 max-desk:w-[min(320px,86vw)] max-desk:shadow-sheet"
      >
        {places.map((place) => (
          <PlaceLink key={place.to} {...place} />
        ))}
        <hr className="mx-2.5 my-2.5 border-rule" />
        <button type="button" onClick={onMeeting} className={entryClass}>
          <Video className="size-4 shrink-0" aria-hidden="true" />
          {t("mock.sidebar.meeting")}
        </button>
        <button
          type="button"
          onClick={() => notifySample(t("mock.sidebar.live"))}
          className={entryClass}
        >
          <Radio className="size-4 shrink-0" aria-hidden="true" />
          {t("mock.sidebar.live")}
        </button>
        <Folders />
        <hr className="mx-2.5 my-2.5 border-rule" />
        {ownPlaces.map((place) => (
          <PlaceLink key={place.to} {...place} />
        ))}
        <Usage />
      </nav>
    </>
  );
}

function PlaceLink({ to, label, Icon }: Place) {
  const t = useT();
  return (
    <Link to={to} className={entryClass}>
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {t(label)}
    </Link>
  );
}
