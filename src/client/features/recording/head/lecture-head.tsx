import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { useT } from "#client/features/recording/messages/index.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { loadingLecture, missingLecture } from "#client/lecture/read-only-lecture.ts";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { useField } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { termMessages } from "#client/reading/terms/messages/index.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { LectureName } from "./lecture-name.tsx";
import { StatusLine } from "./status-line.tsx";

const GlossaryLink = lazyPartAfterPaint(() => import("./glossary-link.tsx"), termMessages);

interface LectureHeadProps {
  session: RecordingSession;
  document: LectureDocument;
  signedIn: boolean;
  /** The sample lecture is shown. */
  isSample: boolean;
  search: HomeSearch;
  nameField: RefObject<HTMLInputElement | null>;
  sidebarToggle: ReactNode;
  share: ReactNode;
  /** Of the page below. */
  tools: ReactNode;
  menu: ReactNode;
}

/**
 * Two lines above the page: what the lecture is called and what can be done with it; its state and settings. Their heights
 * and the places of their parts do not depend on the texts. Of a lecture that could not be opened nothing is said here.
 */
export function LectureHead(props: LectureHeadProps) {
  const { session, document, signedIn, isSample, search, nameField } = props;
  const lecture = useField(document.view, "lecture");
  const language = useLanguage();
  const isMissing = document === missingLecture;
  const isShown =
    signedIn && !isSample && document !== missingLecture && document !== loadingLecture;
  const newFolderId = search.lecture ? null : (getFolderFilter(search) ?? null);
  const glossary = (className: string) =>
    isShown ? (
      <GlossaryLink document={document} newFolderId={newFolderId} className={className} />
    ) : null;
  return (
    <div className="border-rule border-b pt-1.5 pr-7 pb-1.5 pl-3 max-[43.75rem]:pr-3 max-sm:px-2 max-sm:pb-0">
      <div className="flex h-11 items-center gap-0.5 sm:gap-1">
        {props.sidebarToggle}
        {signedIn ? <BackLink search={search} isShown={search.lecture !== undefined} /> : null}
        <h1
          className={`min-w-0 flex-1 truncate font-semibold text-lg tracking-tight ${isMissing ? "invisible" : ""}`}
        >
          {lecture && !isSample ? (
            <LectureName key={lecture.id} lecture={lecture} field={nameField} />
          ) : (
            <NoName document={document} signedIn={signedIn} />
          )}
        </h1>
        {/* A lecture that nobody has named has its date as its name. */}
        {lecture && lecture.titleSource !== "date" && !isSample ? (
          <p className="tabular mr-2 shrink-0 text-ink-3 text-sm max-book:hidden">
            {formatDay(lecture.createdAt, language)} {formatTime(lecture.createdAt, language)}
          </p>
        ) : null}
        {glossary("max-w-[40%] mr-2 shrink-0 flex max-book:hidden")}
        {isMissing ? null : props.share}
        {props.tools}
        {/* The edge of its icon is that of the text below. */}
        <div className="flex size-9 shrink-0 sm:-mr-2">{props.menu}</div>
      </div>
      <div className={isMissing ? "invisible" : ""}>
        <StatusLine session={session} document={document} signedIn={signedIn} isSample={isSample}>
          {glossary("flex min-w-0 max-sm:self-start max-sm:pl-1 book:hidden")}
        </StatusLine>
      </div>
    </div>
  );
}

/** In place of a name: of a blank sheet, a guest's recording, or a lecture that is being opened. */
function NoName({ document, signedIn }: Pick<LectureHeadProps, "document" | "signedIn">) {
  const t = useT();
  const isLoading = useField(document.view, "busy") === "loading";
  const isReady = useField(document.view, "status") === "ready";
  if (isLoading)
    return (
      <>
        <span className="sr-only">{t("record.loading")}</span>
        <Skeleton className="ml-2 h-5 w-48 max-w-full" />
      </>
    );
  return (
    <span className="px-2 text-ink-3">
      {t(signedIn || isReady ? "record.new" : "record.unsaved")}
    </span>
  );
}

interface BackLinkProps {
  search: HomeSearch;
  /** It keeps its place where it is not shown. */
  isShown: boolean;
}

/** Link to the filtered list; goes back in history if the lecture was opened from there, to keep the scroll position. */
function BackLink({ search, isShown }: BackLinkProps) {
  const t = useT();
  const router = useRouter();
  const { fromList } = useRouterState({ select: ({ location }) => location.state });
  return (
    <Link
      to="/"
      search={toListSearch(search.q, getFolderFilter(search))}
      title={t("notFound.back")}
      onClick={(event) => {
        if (!fromList || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        router.history.back();
      }}
      className={`touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink ${isShown ? "" : "invisible"}`}
    >
      <ArrowLeft className="size-4.5" />
      <span className="sr-only">{t("notFound.back")}</span>
    </Link>
  );
}
