import { type ReactNode, useRef, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useWideWindow } from "#client/lib/media-queries.ts";
import { getStoredSideOpen, storeSideOpen } from "#client/state/preferences.ts";
import { getPanelId, getTabId, TabList } from "#client/ui/tabs.tsx";
import { readingDialogMessages } from "./dialog-messages/index.ts";
import { useT } from "./messages/index.ts";
import { overlayProps, useOverlay } from "./use-overlay.ts";

export const loadSummaryPart = () => import("./summary-part.tsx");
export const SummaryPart = lazyPart(loadSummaryPart, readingDialogMessages);

/** What stands beside the text of a lecture, or in its place. */
export type PartName = "summary" | "ask";

interface ChosenParts {
  /** Beside the text, where the window is wide; null: no column. */
  side: PartName | null;
  /** In its place, where the window is not; null: the text is shown. */
  tab: PartName | null;
}

/**
 * The part that is open, and those that were: they stay as they are until another lecture is shown. A lecture that is
 * opened begins with its text, and in a wide window with the column that the person has left open last; a Stop, which
 * offers the summary for the first time, opens nothing. `opens`: the summary is open in any case.
 *
 * @param lectureKey changes when another lecture is shown.
 * @param isOffered whether there is something to summarise, and to ask.
 * @param expanded in full screen, and so open also if the window becomes narrow.
 */
export function useLectureParts(
  lecture: LectureDocument,
  lectureKey: number,
  isOffered: Record<PartName, boolean>,
  expanded: PartName | null,
  opens = false,
) {
  const isWide = useWideWindow();
  const loading = useField(lecture.view, "busy") === "loading";
  const place = isWide ? "side" : "tab";
  const getFirst = (): ChosenParts => {
    const isSideOpen = opens || (!lecture.isReadOnly && getStoredSideOpen());
    return { side: isSideOpen ? "summary" : null, tab: opens ? "summary" : null };
  };
  const [chosen, setChosen] = useState(getFirst);
  const [shown, setShown] = useState({ lectureKey, loading });
  const [opened, setOpened] = useState<readonly PartName[]>([]);
  const wanted = expanded ?? chosen[place];
  const open = wanted && isOffered[wanted] ? wanted : null;
  if (shown.lectureKey !== lectureKey || shown.loading !== loading) {
    setShown({ lectureKey, loading });
    if (loading || shown.lectureKey !== lectureKey) {
      setChosen(getFirst());
      setOpened([]);
    }
  } else if (wanted !== open && expanded === null && !loading)
    setChosen({ ...chosen, [place]: null });
  else if (open && !opened.includes(open)) setOpened([...opened, open]);
  return {
    isWide,
    open,
    opened: opened.filter((part) => isOffered[part]),
    setOpen(next: PartName | null) {
      setChosen({ ...chosen, [place]: next });
      if (isWide) storeSideOpen(next !== null);
    },
  };
}

interface PartTabsProps {
  id: string;
  parts: readonly PartName[];
  open: PartName | null;
  onOpen: (part: PartName | null) => void;
}

/** The tabs of a lecture where the window has no room for a column. */
export function PartTabs({ id, parts, open, onOpen }: PartTabsProps) {
  const t = useT();
  return (
    <TabList<PartName | "transcript">
      id={id}
      label={t("parts.title")}
      value={open ?? "transcript"}
      onChange={(next) => onOpen(next === "transcript" ? null : next)}
      tabs={[
        { value: "transcript", label: t("reading.transcript") },
        ...parts.map((value) => ({ value, label: t(`parts.${value}`) })),
      ]}
      className="part-tabs h-11 px-7 max-[43.75rem]:px-4"
    />
  );
}

interface PartPanelsProps extends PartTabsProps {
  isWide: boolean;
  /** Parts that were opened. They keep their place and what was typed in them. */
  opened: readonly PartName[];
  /** The open part is in full screen. */
  expanded: boolean;
  onCollapse: () => void;
  onClose: () => void;
  children: (part: PartName) => ReactNode;
}

/** The parts that were opened: in a column beside the text, with its own tabs; or over the text. */
export function PartPanels(props: PartPanelsProps) {
  const { id, parts, open, onOpen, isWide, opened, expanded, onClose, children } = props;
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useOverlay(box, expanded, props.onCollapse);
  if (opened.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles a key of its parts
    <div
      ref={box}
      data-part
      {...overlayProps(expanded, open ? t(`parts.${open}`) : "")}
      onKeyDown={(event) => {
        // Not a key of the dialog, and not the one that has left full screen.
        const isOwn = event.currentTarget.contains(event.target as Node) && !event.defaultPrevented;
        if (event.key === "Escape" && isOwn && !event.nativeEvent.isComposing) onClose();
      }}
      className={`grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] bg-paper ${expanded ? "fixed inset-0 z-5" : `absolute top-0 right-0 bottom-(--controls-height,0px) row-start-2 z-2 ${isWide ? "w-90 border-rule border-l" : "left-0"}`} ${open ? "" : "invisible"}`}
    >
      {isWide && !expanded ? (
        <TabList
          id={id}
          label={t("parts.beside")}
          value={open ?? parts[0] ?? "summary"}
          onChange={onOpen}
          tabs={parts.map((value) => ({ value, label: t(`parts.${value}`) }))}
          className="px-5"
        />
      ) : null}
      {opened.map((part) => (
        <div
          key={part}
          role="tabpanel"
          id={getPanelId(id, part)}
          aria-labelledby={getTabId(id, part)}
          className={`col-start-1 row-start-2 grid min-h-0 grid-cols-[minmax(0,1fr)] ${part === open ? "" : "invisible"}`}
        >
          {children(part)}
        </div>
      ))}
    </div>
  );
}
