import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { listen } from "#client/lib/listen.ts";
import { type PageProps, recapControl, useLectureKey } from "#client/reading/reading-state.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { recordedLecture } from "#client/state/recording.ts";
import { RecapCard } from "./recap-card.tsx";
import { type Absence, firstRange } from "./recap-range.ts";
import { useRecap } from "./use-recap.ts";

/** What was said in the last minutes, while a lecture is recorded and afterwards, until another one is opened. */
export function Recap({ lecture, page }: PageProps) {
  const lectureKey = useLectureKey(lecture);
  const isRecordedHere = useValue(recordedLecture) === lecture;
  const hasSound = useField(lecture.view, "recordedSeconds") > 0;
  return isRecordedHere && hasSound ? (
    <OfferedRecap key={lectureKey} lecture={lecture} page={page} />
  ) : null;
}

function OfferedRecap({ lecture, page }: PageProps) {
  const recap = useRecap(lecture);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<Element>(null);
  const absence = useAbsence(lecture);

  function close() {
    recap.stop();
    setOpen(false);
    // Whoever reads on in a row stays there.
    const isInside = document.activeElement?.closest("[data-part]") != null;
    if (isInside && opener.current instanceof HTMLElement)
      opener.current.focus({ preventScroll: true });
  }
  function toggle() {
    if (isOpen) return close();
    opener.current = document.activeElement;
    setOpen(true);
    recap.start({ range: firstRange });
  }

  useShortcuts({ c: toggle });
  const toggleNow = useEffectEvent(toggle);
  useEffect(() => {
    recapControl.set({ isOpen, toggle: () => toggleNow() });
    return () => recapControl.set(null);
  }, [isOpen]);

  return isOpen && recap.view ? (
    <RecapCard
      lecture={lecture}
      page={page}
      view={recap.view}
      absence={absence}
      onAsk={recap.start}
      onClose={close}
    />
  ) : null;
}

/** The last time in which the page was not seen while something was said; null without one. */
function useAbsence(lecture: LectureDocument): Absence | null {
  const [absence, setAbsence] = useState<Absence | null>(null);
  const current = useRef<Absence>(null);
  useEffect(() => {
    const update = () => {
      const { status, recordedSeconds } = lecture.view.get();
      const rows = lecture.transcript.rows().length;
      const left = current.current;
      if (document.hidden && status === "recording")
        current.current = { sinceMs: recordedSeconds * 1_000, rows };
      else if (!document.hidden && left) {
        current.current = null;
        // An absence in which nothing was said counts for nothing.
        if (rows > left.rows) setAbsence(left);
      }
    };
    // The page may be hidden before the first sentence.
    update();
    return listen(document, "visibilitychange", update);
  }, [lecture]);
  return absence;
}
