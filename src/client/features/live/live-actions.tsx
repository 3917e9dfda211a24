import {
  Copy,
  Download,
  Ellipsis,
  FileText,
  FolderPlus,
  Headphones,
  type LucideIcon,
  Moon,
  Search,
  Sun,
} from "lucide-react";
import { useValue } from "#client/lib/hooks.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import {
  readingDialogMessages,
  useT as useReadingT,
} from "#client/reading/dialog-messages/index.ts";
import { hear, hearRequest, stopHearing } from "#client/reading/hearing/hear-state.ts";
import { isFindOpen } from "#client/reading/reading-state.ts";
import { chooseTheme, theme } from "#client/state/theme.ts";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import { useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";

type TakeAway = typeof import("./take-away.ts");

const takeAway = (
  key: string,
  icon: LucideIcon,
  label: string,
  use: (module: TakeAway) => Promise<void>,
): MenuEntry => ({
  key,
  icon,
  label,
  run: () =>
    void Promise.all([import("./take-away.ts"), readingDialogMessages.load()]).then(
      ([module]) => use(module),
      notifyLoadFailure,
    ),
});

interface LiveActionsProps {
  session: ReaderSession;
  title: string;
}

/** What a reader may do, and take away if the owner allows it. */
export default function LiveActions({ session, title }: LiveActionsProps) {
  const t = useT();
  const r = useReadingT();
  const isHeard = useValue(hearRequest) !== null;
  const isDark = useValue(theme) === "dark";
  const { view, end, language } = useValue(session.reading);
  if (view === null) return null;
  const toTake = [
    takeAway("copy", Copy, t("live.copy"), ({ copyLecture }) => copyLecture(session)),
    takeAway("text", FileText, t("live.saveText"), ({ saveText }) => saveText(session, "txt")),
    takeAway("subtitles", Download, t("live.saveSubtitles"), ({ saveText }) =>
      saveText(session, "srt"),
    ),
  ];
  const toKeep: MenuEntry = {
    key: "keep",
    icon: FolderPlus,
    label: t("live.keep"),
    run: () => void window.open(session.getKeepAddress(language), "_blank", "noopener"),
  };
  const toHear: MenuEntry = {
    key: "hear",
    icon: Headphones,
    label: r("hear.translation"),
    choice: { kind: "checkbox", isChosen: isHeard },
    run: () => (isHeard ? stopHearing() : hear()),
  };
  return (
    <Menu
      heading={title}
      entries={[
        {
          key: "find",
          icon: Search,
          label: t("live.find"),
          // Later, because the closing menu returns the focus to its button first.
          run: () => setTimeout(() => isFindOpen.set(true)),
        },
        ...(language === "none" ? [] : [toHear]),
        ...(view.lecture.mayCopy ? toTake : []),
        ...(view.lecture.mayCopy && end === null ? [toKeep] : []),
        {
          key: "theme",
          icon: isDark ? Sun : Moon,
          label: t(isDark ? "theme.toLight" : "theme.toDark"),
          run: () => chooseTheme(isDark ? "light" : "dark"),
        },
      ]}
      trigger={{
        "aria-label": t("live.actions"),
        title: t("live.actions"),
        className:
          "touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink",
        children: <Ellipsis className="size-4.5" />,
      }}
    />
  );
}
