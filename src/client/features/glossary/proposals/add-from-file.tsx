import { FileUp } from "lucide-react";
import { useState } from "react";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import TermsDrop, { type TermsDropProps } from "./terms-drop.tsx";

/** A button that proposes a file's terms for a folder's glossary. The page around it accepts dropped files too. */
export function AddFromFile({ folderId, takeOther }: TermsDropProps) {
  const t = useT();
  const { TermsDialog } = useLectureDialogs();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <FileUp className="size-4 shrink-0" />
        {t("proposals.fromFile")}
      </Button>
      {isOpen ? <TermsDialog folderId={folderId} onClose={() => setOpen(false)} /> : null}
      <TermsDrop folderId={folderId} takeOther={takeOther} />
    </>
  );
}
