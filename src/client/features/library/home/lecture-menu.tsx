import { useNavigate } from "@tanstack/react-router";
import { Download, FolderInput, GraduationCap, ListChecks, Pencil, Trash2 } from "lucide-react";
import { useT } from "#client/features/library/sidebar/messages/index.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { useCanOpen } from "#client/state/offline.ts";
import AnchoredMenu from "#client/ui/anchored-menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import type { LectureListItem } from "#shared/lecture.ts";

export type LectureAction = "select" | "move" | "export" | "delete";

interface LectureMenuProps {
  lecture: LectureListItem;
  anchor: Element;
  /** URL parameters that stay when the lecture is opened. */
  search: HomeSearch;
  onChoose: (action: LectureAction) => void;
  onClose: () => void;
}

/** What can be done with a lecture of the list. */
export default function LectureMenu(props: LectureMenuProps) {
  const { lecture, anchor, search, onChoose, onClose } = props;
  const t = useT();
  const navigate = useNavigate();
  const edit: MenuEntry = {
    key: "edit",
    icon: Pencil,
    label: t("home.edit"),
    run: () =>
      void navigate({
        to: "/record",
        search: { ...search, lecture: lecture.id },
        state: { fromList: true, editing: true },
      }),
  };
  // After the menu has returned the focus.
  const choose = (action: LectureAction) => () => setTimeout(() => onChoose(action));
  return (
    <AnchoredMenu
      anchor={anchor}
      heading={getListTitle(lecture) || t("home.untitled")}
      entries={[
        ...(useCanOpen(lecture.id) ? [edit] : []),
        {
          key: "quiz",
          icon: GraduationCap,
          label: t("tree.quiz"),
          run: () => void navigate({ to: "/quiz", search: { lecture: lecture.id } }),
        },
        { key: "move", icon: FolderInput, label: t("tree.moveTo"), run: choose("move") },
        { key: "export", icon: Download, label: t("tree.export"), run: choose("export") },
        { key: "select", icon: ListChecks, label: t("home.select"), run: choose("select") },
        {
          key: "delete",
          icon: Trash2,
          label: t("delete.confirm"),
          run: choose("delete"),
          destructive: true,
        },
      ]}
      onClose={onClose}
      byKey={false}
      finalFocus={() => document.querySelector(`[data-lecture="${lecture.id}"] :is(a, input)`)}
    />
  );
}
