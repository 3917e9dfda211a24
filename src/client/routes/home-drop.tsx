import { Suspense, useState } from "react";
import TermsDrop from "#client/features/glossary/proposals/terms-drop.tsx";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";

interface HomeDropProps {
  /** The folder that is shown; null: none. */
  folderId: string | null;
  onImported: (id: string) => void;
}

/** Takes files that are dropped on the home page: slides for the folder's glossary, transcripts as lectures. */
export default function HomeDrop({ folderId, onImported }: HomeDropProps) {
  const { ImportDialog } = useLectureDialogs();
  const [transcript, setTranscript] = useState<File | null>(null);
  return (
    <>
      <TermsDrop
        folderId={folderId}
        takeOther={(file) => {
          // Text files are lectures too.
          const isTranscript = /\.(?:txt|srt|vtt)$/i.test(file.name);
          if (isTranscript) setTranscript(file);
          return isTranscript;
        }}
      />
      {transcript ? (
        <Suspense>
          <ImportDialog
            {...{ folderId, onImported }}
            file={transcript}
            onClose={() => setTranscript(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
