import type { ReactNode } from "react";
import { Signal } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";

interface Sample {
  lecture: LectureDocument;
  /** In place of the recording controls. */
  controls: ReactNode;
  dispose(): void;
}

/** The sample lecture while it is shown in place of the session's own lecture. */
export const currentSample = new Signal<Sample | null>(null);

export function endSample(): void {
  currentSample.get()?.dispose();
  currentSample.set(null);
}
