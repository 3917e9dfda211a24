import type { LectureShareProps } from "#client/state/library/lecture-dialogs.ts";
import { ShareHost, ShareLabel } from "./share-control.tsx";

/** Sharing of an opened lecture. */
export default function LectureShare({ lectureId, isRecording }: LectureShareProps) {
  return (
    <>
      <ShareLabel lectureId={lectureId} />
      <ShareHost lectureId={lectureId} signedIn isRecording={isRecording} />
    </>
  );
}
