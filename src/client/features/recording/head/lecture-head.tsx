import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { useT } from "#client/features/recording/messages/index.ts";
import { isTextCardOpen } from "#client/features/recording/screen-state.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { loadingLecture, missingLecture } from "#client/lecture/read-only-lecture.ts";
import { getFolderFilter, type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { LanguagesButton } from "./languages-button.tsx";
import { LectureDetails } from "./lecture-details.tsx";
import { LectureName } from "./lecture-name.tsx";
import { SaveStatus } from "./save-state.tsx";
import { useFold } from "./use-fold.ts";

const TextCard = lazyPart(
  () => import("./text-card.tsx"),
  dialogMessages,
  engineMessages,
  readingDialogMessages,
);
export const preloadTextCard = TextCard.preload;

interface LectureHeadProps {
  session: RecordingSession;
  document: LectureDocument;
  signedIn: boolean;
  /** The sample lecture is shown. */
  isSample: boolean;
  /** It is recorded, or is to be; otherwise it is read. */
  isRecorded: boolean;
  search: HomeSearch;
  nameField: RefObject<HTMLInputElement | null>;
  /** The scrolling element with the rows. */
  page: RefObject<HTMLElement | null>;
  lecturesButton: ReactNode;
  /** For the text. While it is recorded they are in the menu. */
  tools: ReactNode;
  share: ReactNode;
  menu: ReactNode;
}

/**
 * One line about the lecture: what it is called, whether it is saved, its languages, and what can be done with it. Of a
 * lecture that could not be opened nothing is said here.
 */
export function LectureHead(props: LectureHeadProps) {
  const { session, document, signedIn, isSample, isRecorded, search, nameField } = props;
  const lecture = useField(document.view, "lecture");
  const status = useField(document.view, "status");
  const isMissing = document === missingLecture;
  const isKnown = !isMissing && document !== loadingLecture;
  const isTextCardLoaded = useLatch(useValue(isTextCardOpen));
  const line = useRef<HTMLDivElement>(null);
  const isFolded = useFold(props.page, line, !isRecorded);
  const newFolderId = search.lecture ? null : (getFolderFilter(search) ?? null);
  return (
    <div
      ref={line}
      data-head
      data-folded={isFolded || undefined}
      className={`relative flex h-(--head) items-center gap-1 bg-paper px-3 max-[43.75rem]:px-2 max-[22.5rem]:gap-0 max-[22.5rem]:px-1 ${isRecorded ? "fade-below" : "border-rule border-b"} ${isFolded ? "-mt-(--head)" : ""}`}
    >
      {props.lecturesButton}
      <BackLink search={search} />
      <div
        className={`flex min-w-0 flex-1 items-center gap-x-3 max-[43.75rem]:flex-col max-[43.75rem]:items-stretch max-[43.75rem]:justify-center ${isRecorded ? "" : "flex-col items-stretch! justify-center"} ${isMissing ? "invisible" : ""}`}
      >
        <h1 className="min-w-0 font-semibold text-[1rem] leading-tight">
          {isSample ? (
            <SampleName />
          ) : lecture ? (
            <LectureName key={lecture.id} lecture={lecture} field={nameField} />
          ) : (
            <NoName document={document} signedIn={signedIn} />
          )}
        </h1>
        {isSample ? null : (
          <div className="flex min-w-0 items-center gap-x-2 overflow-hidden whitespace-nowrap px-2 text-ink-3 text-sm leading-tight max-[43.75rem]:text-xs">
            {isRecorded || !lecture ? null : (
              <p className="flex min-w-0 overflow-hidden">
                <LectureDetails document={document} isWhole />
              </p>
            )}
            <SaveStatus
              session={session}
              document={document}
              isQuiet={!isRecorded}
              className={isRecorded ? "" : "shrink-0"}
            />
          </div>
        )}
      </div>
      {isRecorded && isKnown ? <LanguagesButton document={document} /> : null}
      {isMissing ? null : (
        <>
          <div
            // On a phone those with an icon are in the menu.
            className={`flex shrink-0 items-center gap-1 max-[43.75rem]:[&>button[aria-label]]:hidden ${isSample || status !== "paused" ? "hidden" : ""}`}
          >
            {props.tools}
          </div>
          {props.share}
        </>
      )}
      <div className="flex size-9 shrink-0 pointer-coarse:size-11">{props.menu}</div>
      {isTextCardLoaded ? (
        <TextCard
          document={document}
          anchor={line}
          newFolderId={signedIn && isKnown && !isSample ? newFolderId : undefined}
        />
      ) : null}
    </div>
  );
}

function SampleName() {
  const t = useT();
  return (
    <span role="status" className="px-2">
      {t("record.sample")}
    </span>
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
    <span className="block truncate px-2 text-ink-3">
      {t(signedIn || isReady ? "record.new" : "record.unsaved")}
    </span>
  );
}

/** Link to the filtered list; goes back in history if the lecture was opened from there, to keep the scroll position. */
function BackLink({ search }: Pick<LectureHeadProps, "search">) {
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
      className="touch-target inline-grid size-9 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
    >
      <ArrowLeft className="size-4.5" />
      <span className="sr-only">{t("notFound.back")}</span>
    </Link>
  );
}
