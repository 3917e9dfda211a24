import type { RefObject } from "react";
import type { LectureDocument } from "#client/realtime/lecture/lecture-document.ts";
import { Recap } from "./recap/recap.tsx";
import { TermTools } from "./terms/term-tools.tsx";

interface LectureToolsProps {
  lecture: LectureDocument;
  /** The scrolling element with the rows. */
  page: RefObject<HTMLElement | null>;
  /** A guest has no glossary. */
  signedIn: boolean;
}

/** What works on the text of a lecture that can be changed, once there is some. Loaded after the first paint. */
export default function LectureTools({ lecture, page, signedIn }: LectureToolsProps) {
  return (
    <>
      <TermTools lecture={lecture} page={page} signedIn={signedIn} />
      <Recap lecture={lecture} page={page} />
    </>
  );
}
