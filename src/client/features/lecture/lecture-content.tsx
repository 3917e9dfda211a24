import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { PencilLine } from "lucide-react";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useField, useValue } from "#client/lib/signal.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { searchTarget } from "#client/reading/search-target.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { api } from "#client/state/queries.tsx";
import { getButtonClass } from "#client/ui/button.tsx";
import { Duration } from "#client/ui/duration.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { BackLink } from "./back-link.tsx";
import { LectureMenu } from "./lecture-menu.tsx";
import { LectureName } from "./lecture-name.tsx";
import { useT } from "./messages/index.ts";
import { useLectureDocument } from "./use-lecture-document.ts";

const ReadingDialogs = lazyPart(() => import("#client/reading/dialogs.tsx"), readingDialogMessages);

interface LectureContentProps {
  lecture: Lecture;
  search: HomeSearch;
  onDeleting: (deleting: boolean) => void;
}

/** A stored lecture on the same surface as a recording, with its name and what can be done with it above. */
export function LectureContent({ lecture, search, onDeleting }: LectureContentProps) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const document = useLectureDocument(lecture);
  useSearchHit(lecture.id, search);
  const hasRows = useValue(document.transcript.blocks).length > 0;
  const hasSummary = useValue(document.summary).text !== "";
  const [expanded, setExpanded] = useState<ExpandedPart>(null);
  const openSettings = useCallback(
    () =>
      void navigate({ to: "/record", search: { lecture: lecture.id }, state: { settings: true } }),
    [navigate, lecture.id],
  );
  const areDialogsLoaded = useLatch(useValue(readingDialog) !== null);
  const { LectureShare } = useLectureDialogs();
  const isRecording = useField(document.view, "status") === "recording";
  const nameField = useRef<HTMLInputElement>(null);
  const { editing } = useRouterState({ select: ({ location }) => location.state });
  // Opened by an Edit link.
  useEffect(() => {
    if (editing) nameField.current?.focus({ preventScroll: true });
  }, [editing]);
  useEffect(() => () => readingDialog.set(null), []);

  return (
    <article className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <div className="border-rule border-b px-7 py-2.5 max-book:px-4 max-book:py-1.5">
        <div className="mx-auto grid max-w-275 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
          <BackLink search={search} />
          <div className="flex items-center gap-1.5 max-sm:-mr-2 max-sm:gap-0.5">
            <SavedNote document={document} />
            <Link
              to="/record"
              search={{ lecture: lecture.id }}
              className={`${getButtonClass()} max-sm:px-3`}
            >
              <PencilLine className="size-4" aria-hidden="true" />
              {t("lecture.edit")}
            </Link>
            <LectureMenu
              lecture={lecture}
              document={document}
              nameField={nameField}
              onDeleting={onDeleting}
              onDeleted={() =>
                void navigate({
                  to: "/",
                  search: toListSearch(search.q, getFolderFilter(search)),
                  replace: true,
                })
              }
            />
          </div>
          <div className="col-span-full flex items-baseline gap-x-4 max-sm:flex-col">
            <LectureName lecture={lecture} field={nameField} />
            <p className="tabular flex shrink-0 gap-3.5 text-ink-3 text-sm">
              {/* A lecture that nobody has named has its date as its name. */}
              {lecture.titleSource === "date" ? null : (
                <>
                  <span>{formatDay(lecture.createdAt, language)}</span>
                  <span>{formatTime(lecture.createdAt, language)}</span>
                </>
              )}
              {lecture.usedTime > 0 ? <Duration seconds={lecture.usedTime} /> : null}
              <Suspense>
                <LectureShare lectureId={lecture.id} isRecording={isRecording} />
              </Suspense>
            </p>
          </div>
        </div>
      </div>
      <ReadingSurface
        lecture={document}
        empty={() => <p className="py-6 text-ink-2">{t("lecture.noTranscript")}</p>}
        summary={
          hasRows || hasSummary ? { signedIn: true, opens: search.part === "summary" } : null
        }
        startsAtTop
        expanded={expanded}
        onExpand={setExpanded}
        openSettings={openSettings}
      />
      {areDialogsLoaded ? (
        <Suspense>
          <ReadingDialogs lecture={document} />
        </Suspense>
      ) : null}
    </article>
  );
}

/** Says what has become of a change; nothing before the first one. */
function SavedNote({ document }: { document: LectureDocument }) {
  const t = useT();
  const state = useField(document.view, "saveState");
  const hasChanged = useLatch(state !== "saved");
  if (!hasChanged) return null;
  const key =
    state === "saved"
      ? "lecture.saved"
      : state === "retrying"
        ? "lecture.unsaved"
        : "lecture.saving";
  return (
    <span role="status" className="px-1.5 text-ink-3 text-sm max-sm:sr-only">
      {t(key)}
    </span>
  );
}

/** Shows the place in the address, with what the search of the address finds there. */
function useSearchHit(lectureId: string, { row, part, q = "" }: HomeSearch): void {
  const query = q.trim();
  const { data } = api.lectures.search.useQuery(
    { query, lectureId },
    {
      enabled: query !== "" && (row !== undefined || part !== undefined),
      // Not cached: the lecture may have changed at the next visit.
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  const hit = data?.results[0]?.hit ?? null;
  useEffect(() => {
    const place = row !== undefined ? { type: "row" as const, row } : part && { type: part };
    searchTarget.set(place ? { place, hit } : null);
    return () => searchTarget.set(null);
  }, [row, part, hit]);
}
