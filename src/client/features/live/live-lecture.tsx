import { useEffect, useState } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { keepAwake } from "#client/lib/wake-lock.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { StatusLabel } from "./live-header.tsx";
import { useT } from "./messages/index.ts";
import type { ReaderSession } from "./reader-session.ts";
import { getLiveStatus } from "./share-connection.ts";

/** The text of a shared lecture. */
export default function LiveLecture({ session }: { session: ReaderSession }) {
  const t = useT();
  const { lecture } = session;
  const status = getLiveStatus(useValue(session.reading));
  const hasSummary = useValue(lecture.summary).text !== "";
  const [expanded, setExpanded] = useState<ExpandedPart>(null);
  const isLive = status === "live";
  useEffect(() => (isLive ? keepAwake() : undefined), [isLive]);
  return (
    <div data-stacked className="h-full">
      <ReadingSurface
        lecture={lecture}
        empty={() => {
          const key = status === "paused" || status === "finished" ? status : "waiting";
          return lecture.transcript.live.get() === null ? (
            <EmptyText title={t(`live.empty.${key}`)} text={t(`live.empty.${key}Text`)} />
          ) : null;
        }}
        status={<StatusLabel status={status} />}
        summary={hasSummary ? { signedIn: false } : null}
        startsAtTop
        isStacked
        expanded={expanded}
        onExpand={setExpanded}
      />
    </div>
  );
}

const EmptyText = ({ title, text }: { title: string; text: string }) => (
  <div className="py-6 columns:pl-22">
    <p className="font-[550] text-ink">{title}</p>
    <p className="text-ink-2">{text}</p>
  </div>
);
