import { ShareButton, ShareHost, ShareLabel } from "#client/features/sharing/share-control.tsx";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { withData } from "#client/state/queries.tsx";
import { visitor } from "#client/state/visitor.ts";

interface RecordShareProps {
  session: RecordingSession;
  /** The shown lecture: the session's or a stored one. */
  document: LectureDocument;
  /** `head`: a button, once on a page; `screen`: a label in full screen. */
  place: "head" | "screen";
}

export default withData(RecordShare);

/** Sharing of the shown lecture. */
function RecordShare({ session, document, place }: RecordShareProps) {
  const { lecture, status } = useValue(document.view);
  const isInSession = useValue(session.lecture) === document;
  const lectureId = lecture?.id ?? null;
  const signedIn = useValue(visitor).kind === "user";
  if (place === "screen") return <ShareLabel lectureId={lectureId} />;
  const isRecorded = isInSession && (status === "recording" || lecture?.status !== "completed");
  return (
    <>
      <ShareButton
        lectureId={lectureId}
        isQuiet={!isRecorded && lecture?.status === "completed"}
        className="max-[43.75rem]:hidden"
      />
      <ShareHost
        lectureId={lectureId}
        signedIn={signedIn}
        isRecording={isRecorded}
        {...(isInSession && { createLecture: () => session.createLecture() })}
      />
    </>
  );
}
