import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, FileDown, FolderInput, Mic, PencilLine, RadioTower, Trash2 } from "lucide-react";
import { type RefObject, Suspense, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { useField } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { moveLecture } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { isShareDialogOpen } from "#client/state/open-document.ts";
import { Menu } from "#client/ui/menu.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { useT } from "./messages/index.ts";

type LectureDialog = "move" | "export" | "delete";

interface LectureMenuProps {
  lecture: Lecture;
  document: LectureDocument;
  nameField: RefObject<HTMLInputElement | null>;
  onDeleting: (deleting: boolean) => void;
  onDeleted: () => void;
}

export function LectureMenu(props: LectureMenuProps) {
  const { lecture, document, nameField, onDeleting, onDeleted } = props;
  const t = useT();
  const navigate = useNavigate();
  const isRecording = useField(document.view, "status") === "recording";
  const [dialog, setDialog] = useState<LectureDialog | null>(null);
  const { DeleteDialog, ExportDialog, MoveDialog } = useLectureDialogs();
  const wasDeleteOpened = useLatch(dialog === "delete");
  const show = (next: LectureDialog) => () => setDialog(next);
  const close = () => setDialog(null);
  const { id, folderId } = lecture;
  const title = getPageTitle(lecture, useLanguage());
  return (
    <>
      <Menu
        heading={title || t("home.untitled")}
        trigger={{
          "aria-label": t("lecture.menu"),
          title: t("lecture.menu"),
          className:
            "touch-target inline-grid size-10 shrink-0 place-items-center rounded-m text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink",
          children: <Ellipsis className="size-5" aria-hidden="true" />,
        }}
        entries={[
          ...(isRecording
            ? []
            : [
                {
                  key: "continue",
                  icon: Mic,
                  label: t("lecture.continue"),
                  run: () => void navigate({ to: "/record", search: { lecture: id } }),
                },
              ]),
          {
            key: "rename",
            icon: PencilLine,
            label: t("lecture.rename"),
            run: () => nameField.current?.select(),
            focus: nameField,
          },
          { key: "move", icon: FolderInput, label: t("lecture.move"), run: show("move") },
          {
            key: "share",
            icon: RadioTower,
            label: t("lecture.share"),
            run: () => isShareDialogOpen.set(true),
          },
          { key: "export", icon: FileDown, label: t("lecture.export"), run: show("export") },
          {
            key: "delete",
            destructive: true,
            icon: Trash2,
            label: t("delete.confirm"),
            run: show("delete"),
          },
        ]}
      />
      <Suspense>
        {dialog === "move" ? (
          <MoveDialog
            item={{ kind: "lecture", id, name: title, from: folderId }}
            onMove={(_item, target) => void moveLecture(id, target)}
            onClose={close}
          />
        ) : null}
        {dialog === "export" ? (
          <ExportDialog target={{ kind: "lecture", id, title }} onClose={close} />
        ) : null}
        {wasDeleteOpened ? (
          <DeleteDialog
            lecture={dialog === "delete" ? lecture : null}
            onClose={close}
            onDeleting={onDeleting}
            onDeleted={onDeleted}
          />
        ) : null}
      </Suspense>
    </>
  );
}
