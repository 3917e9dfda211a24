import { useState } from "react";
import { useField } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/lecture/lecture-document.ts";

/**
 * A number that changes when another lecture is shown, and not when a new one is created on the server, or when the same
 * one is opened to be recorded.
 */
export function useLectureKey(lecture: LectureDocument): number {
  const id = useField(lecture.view, "lecture")?.id ?? null;
  const [shown, setShown] = useState({ lecture, id, key: 0 });
  if (shown.lecture === lecture && shown.id === id) return shown.key;
  const isSame = shown.id === null ? shown.lecture === lecture : shown.id === id;
  const key = isSame ? shown.key : shown.key + 1;
  setShown({ lecture, id, key });
  return key;
}
