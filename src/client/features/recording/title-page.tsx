import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { DemoMark } from "#client/reading/demo-mark.tsx";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { engineMessages } from "./engine-messages/index.ts";
import { LectureDetails } from "./head/lecture-details.tsx";

const EngineNotice = lazyPartAfterPaint(() => import("./engine-notice.tsx"), engineMessages);

interface TitlePageProps {
  session: RecordingSession;
  document: LectureDocument;
  /** Otherwise the head says what it is called, and no engine is needed. */
  isRecorded: boolean;
}

/** The first thing in the text, which scrolls away with it: what is recorded, and what writes it down. */
export function TitlePage({ session, document, isRecorded }: TitlePageProps) {
  const language = useLanguage();
  const lecture = useField(document.view, "lecture");
  const hasDemoText = useField(document.view, "hasDemoText");
  const isTitled = isRecorded && lecture !== null;
  if (!isRecorded && !hasDemoText) return null;
  return (
    <div
      data-opening
      className={`grid justify-items-start gap-1.5 pt-4 font-ui text-base columns:ml-22 ${isTitled ? "mb-4 border-rule border-b pb-5" : "mb-2"}`}
    >
      {isTitled ? (
        <>
          <p className="text-balance font-semibold text-2xl tracking-tight wrap-anywhere">
            {getPageTitle(lecture, language)}
          </p>
          <p className="text-ink-3">
            <LectureDetails document={document} isWhole={false} />
          </p>
        </>
      ) : null}
      {hasDemoText ? <DemoMark /> : null}
      {isRecorded ? <EngineNotice session={session} /> : null}
    </div>
  );
}
