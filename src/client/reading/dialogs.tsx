import { useState } from "react";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Dialog } from "#client/ui/dialog.tsx";
import { againMessages } from "./again-messages/index.ts";
import { useT } from "./dialog-messages/index.ts";
import { flashcardMessages } from "./flashcards/messages/index.ts";
import { ImproveForm } from "./improve-form.tsx";
import { type ReadingDialog, readingDialog, useOnLoading } from "./reading-state.ts";
import { recordingDetailsMessages } from "./recording-messages/index.ts";
import { RetranslateForm } from "./retranslate-form.tsx";
import { SpeakersForm } from "./speakers-form.tsx";

const RecordingDetails = lazyPart(
  () => import("./recording-details.tsx"),
  recordingDetailsMessages,
);

const AgainForm = lazyPart(() => import("./again-form.tsx"), againMessages, gapMessages);

const FlashcardsDialog = lazyPart(
  () => import("./flashcards/flashcards-dialog.tsx"),
  flashcardMessages,
);

export default function ReadingDialogs({ lecture }: { lecture: LectureDocument }) {
  const t = useT();
  const current = useValue(readingDialog);
  const [firstSpeaker, setFirstSpeaker] = useState<string | null>(null);
  if (current?.kind === "speakers" && current.first !== firstSpeaker)
    setFirstSpeaker(current.first);
  const onClose = () => readingDialog.set(null);
  // What they ask is about this lecture, not about the one that is being opened.
  useOnLoading(lecture, onClose);
  const when = (kind: ReadingDialog["kind"]) => ({ open: current?.kind === kind, onClose });
  return (
    <>
      <Dialog {...when("retranslate")} title={t("retranslate.title")}>
        <RetranslateForm lecture={lecture} onClose={onClose} />
      </Dialog>
      <Dialog {...when("improve")} title={t("improve.title")}>
        <ImproveForm lecture={lecture} onClose={onClose} />
      </Dialog>
      <Dialog {...when("again")} title={t("again.title")}>
        <AgainForm lecture={lecture} onClose={onClose} />
      </Dialog>
      <Dialog {...when("speakers")} title={t("speakers.title")} description={t("speakers.text")}>
        <SpeakersForm lecture={lecture} first={firstSpeaker} onClose={onClose} />
      </Dialog>
      <Dialog {...when("recording")} title={t("reading.recordingDetails")}>
        {lecture.recorded ? (
          <RecordingDetails lecture={lecture} recorded={lecture.recorded} />
        ) : null}
      </Dialog>
      {current?.kind === "flashcards" ? (
        <FlashcardsDialog lecture={lecture} onClose={onClose} />
      ) : null}
    </>
  );
}
