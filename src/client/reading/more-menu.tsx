import { AudioLines, Copy, Ellipsis, Flag, PencilLine, Repeat2, Search, Users } from "lucide-react";
import type { RefObject } from "react";
import { copyText } from "#client/lib/notifications.ts";
import { useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { Menu } from "#client/ui/menu.tsx";
import { useT } from "./dialog-messages/index.ts";
import { formatShownText } from "./format-text.ts";
import { isFindOpen, readingDialog } from "./reading-state.ts";
import { markedOnly } from "./use-marks.ts";
import { findVisibleRow } from "./use-rows.ts";

interface MoreMenuProps {
  lecture: LectureDocument;
  page: RefObject<HTMLElement | null>;
}

export function MoreMenu({ lecture, page }: MoreMenuProps) {
  const t = useT();
  const showsMarkedOnly = useValue(markedOnly);
  const copy = () =>
    void copyText(formatShownText(lecture), t("reading.copied"), [t("reading.copyFailed")]);
  return (
    <Menu
      heading={t("reading.transcript")}
      entries={[
        {
          key: "find",
          icon: Search,
          label: t("find.label"),
          // Later, because the closing menu returns the focus to its button first.
          run: () => setTimeout(() => isFindOpen.set(true)),
        },
        { key: "copy", icon: Copy, label: t("reading.copy"), run: copy },
        {
          key: "correct",
          icon: PencilLine,
          label: t("reading.correct"),
          run: () => setTimeout(() => page.current && findVisibleRow(page.current)?.focus()),
        },
        {
          key: "marked",
          icon: Flag,
          label: t(showsMarkedOnly ? "marks.showAll" : "marks.showMarked"),
          run: () => markedOnly.set(!showsMarkedOnly),
        },
        {
          key: "retranslate",
          icon: Repeat2,
          label: t("reading.retranslate"),
          run: () => readingDialog.set({ kind: "retranslate" }),
        },
        {
          key: "speakers",
          icon: Users,
          label: t("reading.nameSpeakers"),
          run: () => readingDialog.set({ kind: "speakers", first: null }),
        },
        ...(lecture.recorded
          ? [
              {
                key: "recording",
                icon: AudioLines,
                label: t("reading.recordingDetails"),
                run: () => readingDialog.set({ kind: "recording" }),
              },
            ]
          : []),
      ]}
      trigger={{
        "aria-label": t("reading.menu"),
        title: t("reading.menu"),
        className:
          "touch-target inline-grid size-8 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink",
        children: <Ellipsis className="size-4" aria-hidden="true" />,
      }}
    />
  );
}
