import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { LectureHandle } from "#client/lecture/lectures.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { useTitle } from "#client/lib/title.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { recapMessages } from "#client/reading/recap/messages/index.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import { termMessages } from "#client/reading/terms/messages/index.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import "#client/state/cached-lectures.ts";
import { isNotFound, lectureQuery } from "#client/state/library/cache.ts";
import { describeLoadFailure } from "#client/state/library/load-failure.ts";
import { watchSubscription } from "#client/state/subscription.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import type { Lecture } from "#shared/lecture.ts";
import type { LectureAccess } from "#shared/people.ts";
import { useT } from "./messages/index.ts";

const SharedSlides = lazyPartAfterPaint(() => import("./shared-slides.tsx"));
const LectureTools = lazyPartAfterPaint(
  () => import("#client/reading/lecture-tools.tsx"),
  termMessages,
  recapMessages,
);

interface SharedLectureScreenProps {
  session: RecordingSession;
  id: string;
}

/** Another person's lecture: its bilingual page without what only its owner may do. */
export function SharedLectureScreen({ session, id }: SharedLectureScreenProps) {
  const t = useT();
  const query = useQuery(lectureQuery(id));
  const { refetch } = query;
  const isGone = query.error ? isNotFound(query.error) : false;
  // One whose refetch failed is shown.
  const lecture = isGone ? undefined : query.data;
  useTitle(lecture ? `${lecture.title} · ${t("brand.name")}` : t("title.shared"), true);
  useEffect(watchSubscription, []);
  // The person's own.
  if (lecture && !lecture.access) return <Navigate to="/record" search={{ lecture: id }} replace />;
  if (lecture?.access)
    return (
      <OpenLecture
        session={session}
        lecture={lecture}
        access={lecture.access}
        onRefused={() => void refetch()}
      />
    );
  return (
    <main id="content" className="grid grid-rows-[auto_minmax(0,1fr)]">
      <Head title={null}>{null}</Head>
      <div className="mx-auto w-full max-w-150 px-7 max-book:px-4">
        {query.isError ? (
          <Placeholder
            role="alert"
            {...(isGone
              ? { title: t("shared.endedTitle"), text: t("shared.endedText") }
              : describeLoadFailure(query.error))}
          >
            {isGone ? null : <Button onClick={() => void refetch()}>{t("common.retry")}</Button>}
            <Link to="/shared" className={getButtonClass()}>
              {t("shared.title")}
            </Link>
          </Placeholder>
        ) : (
          <div aria-busy="true" className="@container/rows pt-13.5">
            <RowsSkeleton columns="one" />
          </div>
        )}
      </div>
    </main>
  );
}

interface OpenLectureProps {
  session: RecordingSession;
  lecture: Lecture;
  access: LectureAccess;
  /** The server does not take what is saved. */
  onRefused: () => void;
}

/** Keeps the lecture open while it is shown. */
function OpenLecture({ session, lecture, access, onRefused }: OpenLectureProps) {
  const [document, setDocument] = useState<EditableLecture | null>(null);
  const handle = useRef<LectureHandle>(null);
  const open = useEffectEvent(() => {
    handle.current = session.openLecture(lecture);
    setDocument(handle.current.lecture);
    return handle.current;
  });
  useEffect(() => {
    const opened = open();
    return () => {
      // What the server refuses would be refused again.
      if (opened.lecture.view.get().saveState === "failed") opened.discard();
      else opened.close();
    };
  }, []);
  useEffect(() => document?.updateFrom(lecture), [document, lecture]);
  return document ? (
    <LecturePage document={document} access={access} onRefused={onRefused} />
  ) : null;
}

interface LecturePageProps extends Pick<OpenLectureProps, "access" | "onRefused"> {
  document: EditableLecture;
}

function LecturePage({ document, access, onRefused }: LecturePageProps) {
  const t = useT();
  const [expanded, setExpanded] = useState<ExpandedPart>(null);
  const page = useRef<HTMLElement>(null);
  const hasRows = useValue(document.transcript.blocks).length > 0;
  const lecture = useField(document.view, "lecture");
  const title = lecture?.title ?? "";
  const isRefused = useField(document.view, "saveState") === "failed";
  const refuse = useEffectEvent(onRefused);
  useEffect(() => {
    if (isRefused) refuse();
  }, [isRefused]);
  return (
    <main
      id="content"
      className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]"
    >
      <ReadingSurface
        lecture={document}
        page={page}
        head={(tools) => (
          <Head title={title} about={<About document={document} access={access} />}>
            {tools}
          </Head>
        )}
        empty={() => (
          <div className="py-6 columns:pl-22">
            <p className="font-[550] text-ink">{t("shared.empty")}</p>
            <p className="text-ink-2">{t("shared.emptyHint", { owner: access.owner })}</p>
          </div>
        )}
        summary={null}
        startsAtTop
        expanded={expanded}
        onExpand={setExpanded}
      >
        {lecture ? <SharedSlides lecture={document} lectureId={lecture.id} /> : null}
        {hasRows && !document.isReadOnly ? (
          <LectureTools lecture={document} page={page} signedIn />
        ) : null}
      </ReadingSurface>
    </main>
  );
}

interface HeadProps {
  title: string | null;
  /** Below the title. */
  about?: ReactNode;
  /** For the text. */
  children: ReactNode;
}

function Head({ title, about, children }: HeadProps) {
  const t = useT();
  return (
    <div
      data-head
      className="relative flex h-(--head) items-center gap-1 border-rule border-b bg-paper px-3 max-[43.75rem]:px-2"
    >
      <Link
        to="/shared"
        title={t("shared.back")}
        className="touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
      >
        <ArrowLeft className="size-4.5" />
        <span className="sr-only">{t("shared.back")}</span>
      </Link>
      <div className="min-w-0 flex-1 px-2">
        <h1 dir="auto" className="truncate text-left font-semibold text-[1rem] leading-tight">
          {title ?? t("shared.title")}
        </h1>
        {about}
      </div>
      <div className="flex shrink-0 items-center gap-1">{children}</div>
    </div>
  );
}

/** Whose lecture it is, what the person may do with it, and whether that is saved. */
function About({ document, access }: Pick<LecturePageProps, "document" | "access">) {
  const t = useT();
  const { saveState } = useValue(document.view);
  const isLate = saveState === "retrying" || saveState === "failed";
  return (
    <p className="truncate text-ink-3 text-sm leading-tight max-[43.75rem]:text-xs">
      <bdi>{t("shared.from", { owner: access.owner })}</bdi>
      {" · "}
      {document.isReadOnly ? (
        t("shared.reads")
      ) : (
        <span role="status" data-save-state={saveState}>
          {t(
            isLate ? "shared.unsaved" : saveState === "saved" ? "shared.corrects" : "shared.saving",
          )}
        </span>
      )}
    </p>
  );
}
