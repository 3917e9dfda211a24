import type { LectureShareProps } from "#client/state/library/lecture-dialogs.ts";
import { ShareButton, ShareHost } from "./share-control.tsx";

/** Sharing of an opened lecture. */
export default function LectureShare({ lectureId, isRecording }: LectureShareProps) {
  return (
    <>
      <ShareButton lectureId={lectureId} ifShared />
      <ShareHost lectureId={lectureId} signedIn isRecording={isRecording} />
    </>
  );
}
