import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useRouterState } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/library/index.ts";
import { offlineMessages, useT as useOfflineT } from "#client/i18n/offline/index.ts";
import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { searchTarget } from "#client/reading/search-target.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import "#client/state/cached-lectures.ts";
import { isNotFound, lectureQuery, refetchLibrary } from "#client/state/library/cache.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { describeLoadFailure } from "#client/state/library/load-failure.ts";
import { isOffline } from "#client/state/offline.ts";
import { api, withData } from "#client/state/queries.tsx";
import { watchSubscription } from "#client/state/subscription.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { trashRetentionDays } from "#shared/limits.ts";
import type { NoticeActions } from "./show-notice.ts";

/** A lecture that is not the session's current one. */
export interface OpenedLecture {
  id: string;
  /** Null: it could not be opened. */
  document: LectureDocument | null;
  /** Why it could not be opened, in place of its rows. */
  problem: ReactNode;
}

interface StoredLectureProps {
  session: RecordingSession;
  id: string;
  actions: NoticeActions;
  onChange: (opened: OpenedLecture) => void;
  /** It was deleted on this page. */
  onDeleted: () => void;
}

export default withData(StoredLecture);

/** Opens the stored lecture `id` and hands it to `onChange`. Shows nothing itself. */
function StoredLecture({ session, id, actions, onChange, onDeleted }: StoredLectureProps) {
  const t = useT();
  const language = useLanguage();
  const query = useQuery(lectureQuery(id));
  const document = useRef<EditableLecture>(null);
  const isGone = query.error ? isNotFound(query.error) : false;
  // A deleted lecture is not shown; one whose refetch failed is.
  const lecture = isGone ? undefined : query.data;
  const failed = query.isError && !lecture;
  const isMissing = useValue(isOffline) && !isGone;
  const { refetch } = query;

  const reportFailure = useEffectEvent(() => {
    if (document.current?.isDisposed) {
      onDeleted();
      return;
    }
    const retry = () => void refetch();
    if (isMissing) {
      const problem = <MissingLecture onRetry={retry} />;
      onChange({ id, document: null, problem });
      return;
    }
    // It was read a moment ago: it is in the trash.
    const isDeleted = isGone && document.current !== null;
    // The sidebar still lists it.
    if (isDeleted) void refetchLibrary();
    const name = isDeleted && query.data ? `${getPageTitle(query.data, language)} · ` : "";
    const deletion = {
      title: `${name}${t("delete.done")}`,
      text: t("delete.restorable", { days: trashRetentionDays }),
    };
    const message = isDeleted ? deletion : describeLoadFailure(query.error);
    const problem = (
      <Placeholder role="alert" {...message}>
        {isDeleted ? <Button onClick={actions.openTrash}>{t("trash.title")}</Button> : null}
        {isGone ? (
          <Link to="/" className={getButtonClass()}>
            {t("notFound.back")}
          </Link>
        ) : null}
        {isGone ? null : <Button onClick={retry}>{t("common.retry")}</Button>}
      </Placeholder>
    );
    onChange({ id, document: null, problem });
  });
  useEffect(() => {
    if (failed) reportFailure();
  }, [failed]);

  // Another person's, of which this page would change too much.
  if (lecture?.access) return <Navigate to="/shared" search={{ lecture: id }} replace />;
  return lecture ? (
    <LectureOpener session={session} lecture={lecture} document={document} onChange={onChange} />
  ) : null;
}

interface LectureOpenerProps extends Pick<StoredLectureProps, "session" | "onChange"> {
  lecture: Lecture;
  /** The one that was opened here. */
  document: RefObject<EditableLecture | null>;
}

/** In place of a lecture that is not on this device, without a network. */
const MissingLecture = lazyPart(async () => ({ default: NotOnDevice }), offlineMessages);

function NotOnDevice({ onRetry }: { onRetry: () => void }) {
  const t = useOfflineT();
  return (
    <Placeholder role="alert" title={t("stored.missing")} text={t("stored.missingText")}>
      <Button onClick={onRetry}>{t("common.retry")}</Button>
    </Placeholder>
  );
}

/** Keeps the lecture open while it is shown, and has it follow what other tabs and devices save. */
function LectureOpener({ session, lecture, document, onChange }: LectureOpenerProps) {
  const { id } = lecture;
  const open = useEffectEvent(() => {
    const handle = session.openLecture(lecture);
    document.current = handle.lecture;
    onChange({ id, document: handle.lecture, problem: null });
    return handle.close;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each lecture
  useEffect(() => open(), [session, id]);
  useEffect(() => document.current?.updateFrom(lecture), [document, lecture]);
  useEffect(watchSubscription, []);
  return null;
}

export const SearchPlace = withData(PlaceFinder);

/** Shows the place in the address, with what the search of the address finds there. Shows nothing itself. */
function PlaceFinder({ search: { lecture = "", row, part, q = "" } }: { search: HomeSearch }) {
  const query = q.trim();
  const { data } = api.lectures.search.useQuery(
    { query, lectureId: lecture },
    // Not cached: the lecture may have changed at the next visit.
    { enabled: query !== "", gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  );
  const hit = data?.results[0]?.hit ?? null;
  const { rowStartMs } = useRouterState({ select: ({ location }) => location.state });
  useEffect(() => {
    const place =
      row !== undefined
        ? { type: "row" as const, row, startMs: rowStartMs }
        : part && { type: part };
    searchTarget.set(place ? { place, hit } : null);
    return () => searchTarget.set(null);
  }, [row, rowStartMs, part, hit]);
  return null;
}
