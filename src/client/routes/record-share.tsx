import { ShareButton, ShareHost, ShareLabel } from "#client/features/sharing/share-control.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { DataProvider } from "#client/state/queries.tsx";
import { recordingSession } from "#client/state/recording.ts";
import { visitor } from "#client/state/visitor.ts";

interface RecordShareProps {
  /** `header`: in the page's header, once; `bar`: in the status bar of a phone; `screen`: in full screen. */
  place: "header" | "bar" | "screen";
}

/** Sharing of the lecture that is being recorded. */
export default function RecordShare({ place }: RecordShareProps) {
  const session = useValue(recordingSession);
  if (!session) return null;
  return (
    <DataProvider>
      <SessionShare session={session} place={place} />
    </DataProvider>
  );
}

function SessionShare({ session, place }: RecordShareProps & { session: RecordingSession }) {
  const lectureId = useField(session.view, "lecture")?.id ?? null;
  const signedIn = useValue(visitor).kind === "user";
  if (place === "screen") return <ShareLabel lectureId={lectureId} />;
  if (place === "bar") return <ShareButton lectureId={lectureId} />;
  return (
    <>
      <ShareButton lectureId={lectureId} className="w-15 book:w-30 max-sm:hidden" />
      <ShareHost
        lectureId={lectureId}
        signedIn={signedIn}
        isRecording
        createLecture={() => session.createLecture()}
      />
    </>
  );
}
