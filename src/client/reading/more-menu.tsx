import { Ellipsis, Flag, PencilLine, Repeat2, Users } from "lucide-react";
import type { RefObject } from "react";
import { useValue } from "#client/lib/signal.ts";
import { Menu } from "#client/ui/menu.tsx";
import { useT } from "./dialog-messages/index.ts";
import { readingDialog } from "./open-dialog.ts";
import { markedOnly } from "./use-marks.ts";
import { findVisibleRow } from "./use-rows.ts";

const iconClass = "size-4";

export function MoreMenu({ page }: { page: RefObject<HTMLElement | null> }) {
  const t = useT();
  const showsMarkedOnly = useValue(markedOnly);
  return (
    <Menu
      heading={t("reading.transcript")}
      entries={[
        {
          key: "correct",
          icon: PencilLine,
          label: t("reading.correct"),
          // Later, because the closing menu returns the focus to its button first.
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
      ]}
      trigger={{
        "aria-label": t("reading.menu"),
        title: t("reading.menu"),
        className:
          "touch-target inline-grid size-8 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink",
        children: <Ellipsis className={iconClass} aria-hidden="true" />,
      }}
    />
  );
}
