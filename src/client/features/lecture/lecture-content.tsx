import { Link, useBlocker, useNavigate, useRouterState } from "@tanstack/react-router";
import { PencilLine } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { getButtonClass } from "#client/ui/button.tsx";
import { Duration } from "#client/ui/duration.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { BackLink } from "./back-link.tsx";
import { LectureMenu } from "./lecture-menu.tsx";
import { LectureName } from "./lecture-name.tsx";
import { LectureSummary } from "./lecture-summary.tsx";
import { LectureTranscript } from "./lecture-transcript.tsx";
import { lectureMessages, useT } from "./messages/index.ts";
import { useScrollTarget } from "./scroll-target.ts";
import { useSummaryDraft } from "./use-summary-draft.ts";

const UnsavedDialog = lazyPart(() => import("./unsaved-dialog.tsx"), lectureMessages);

type Part = "transcript" | "summary";

interface LectureContentProps {
  lecture: Lecture;
  search: HomeSearch;
  onDeleting: (deleting: boolean) => void;
}

export function LectureContent({ lecture, search, onDeleting }: LectureContentProps) {
  const t = useT();
  const navigate = useNavigate();
  const { part: initialPart, q } = search;
  const scrollTarget = useScrollTarget(lecture.id, search);
  const [part, setPart] = useState<Part>(initialPart === "summary" ? "summary" : "transcript");
  const [tabChanged, setTabChanged] = useState(false);
  const draft = useSummaryDraft(lecture);
  const blocker = useConfirmLeave(draft.edited, lecture.id);
  const nameField = useRef<HTMLInputElement>(null);
  const { editing } = useRouterState({ select: ({ location }) => location.state });
  // Opened by an Edit link.
  useEffect(() => {
    if (editing) nameField.current?.focus({ preventScroll: true });
  }, [editing]);

  return (
    <>
      <div className="mb-7 flex flex-wrap items-center justify-between gap-x-1 gap-y-2">
        <BackLink search={search} />
        <div className="flex items-center gap-1.5 max-sm:-mr-2 max-sm:gap-0.5">
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
            nameField={nameField}
            onDeleting={onDeleting}
            onDeleted={() =>
              void navigate({
                to: "/",
                search: toListSearch(q, getFolderFilter(search)),
                replace: true,
                // Unsaved changes were deleted with the lecture.
                ignoreBlocker: true,
              })
            }
          />
        </div>
      </div>
      <article>
        <LectureName lecture={lecture} field={nameField} />
        <p className="tabular mt-1 mb-6 flex gap-3.5 text-ink-3 text-sm">
          <span>{formatDay(lecture.createdAt)}</span>
          <span>{formatTime(lecture.createdAt)}</span>
          {lecture.usedTime > 0 ? <Duration seconds={lecture.usedTime} /> : null}
        </p>
        <Tabs<Part>
          label={t("lecture.tabs")}
          value={part}
          onChange={(next) => {
            setPart(next);
            setTabChanged(true);
          }}
          tabs={[
            {
              value: "transcript",
              label: t("lecture.transcript"),
              panel: <LectureTranscript lecture={lecture} scrollTarget={scrollTarget} />,
            },
            {
              value: "summary",
              label: t("lecture.summary"),
              panel: (
                <LectureSummary
                  draft={draft}
                  scrollTarget={
                    scrollTarget?.place.type === "summary" && !tabChanged ? scrollTarget : null
                  }
                />
              ),
            },
          ]}
        />
      </article>
      {blocker.status === "blocked" ? (
        <Suspense>
          <UnsavedDialog
            onStay={blocker.reset}
            onLeave={blocker.proceed}
            onSave={async () => {
              if (await draft.save()) blocker.proceed();
              else blocker.reset();
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Asks before leaving lecture `id` with unsaved changes; when the tab is closed, the browser asks. */
function useConfirmLeave(unsaved: boolean, id: string) {
  return useBlocker({
    shouldBlockFn: ({ next }) =>
      unsaved && !("lecture" in next.search && next.search.lecture === id && next.pathname === "/"),
    enableBeforeUnload: unsaved,
    disabled: !unsaved,
    withResolver: true,
  });
}
