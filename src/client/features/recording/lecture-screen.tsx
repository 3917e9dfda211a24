import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { loadingLecture, missingLecture } from "#client/lecture/read-only-lecture.ts";
import { setReturnFocus } from "#client/lib/focus.ts";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { useBusy, useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint, preloadWhenIdle } from "#client/lib/lazy.tsx";
import { useTitle } from "#client/lib/title.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { loadSummaryPart } from "#client/reading/lecture-parts.tsx";
import { type PartProps, readingDialog, useLectureKey } from "#client/reading/reading-state.ts";
import { type ExpandedPart, ReadingSurface } from "#client/reading/reading-surface.tsx";
import { recapMessages } from "#client/reading/recap/messages/index.ts";
import { termMessages } from "#client/reading/terms/messages/index.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { dialogMessages } from "./dialog-messages/index.ts";
import { EmptyState } from "./empty-state.tsx";
import { engineMessages } from "./engine-messages/index.ts";
import { LectureHead } from "./head/lecture-head.tsx";
import type { LectureMenuProps } from "./head/lecture-menu.tsx";
import { useT } from "./messages/index.ts";
import { RecordingControls } from "./recording-controls.tsx";
import {
  currentDialog,
  currentSample,
  endSample,
  isTextCardOpen,
  openDialog,
} from "./screen-state.ts";
import type { NoticeActions } from "./show-notice.ts";
import { Status } from "./status-warning.tsx";
import type { OpenedLecture } from "./stored-lecture.tsx";
import { TitlePage } from "./title-page.tsx";

const loadDialogs = () => import("./dialogs.tsx");
const loadReadingDialogs = () => import("#client/reading/dialogs.tsx");
const Dialogs = lazyPart(loadDialogs, dialogMessages);
const RecordingEnd = lazyPartAfterPaint(() => import("./recording-end.tsx"), dialogMessages);
const HeadMessage = lazyPartAfterPaint(() => import("./head-message.tsx"), engineMessages);
const ReadingDialogs = lazyPart(loadReadingDialogs, readingDialogMessages);
const LectureTools = lazyPartAfterPaint(
  () => import("#client/reading/lecture-tools.tsx"),
  termMessages,
  recapMessages,
);

const loadStoredLecture = () => import("./stored-lecture.tsx");
export const StoredLecture = lazyPart(loadStoredLecture, libraryMessages, readingDialogMessages);
const SearchPlace = lazyPart(async () => ({ default: (await loadStoredLecture()).SearchPlace }));

const openSettings = () => openDialog("settings");

interface LectureScreenProps {
  session: RecordingSession;
  signedIn: boolean;
  /** The lecture of the address that the session does not hold; null: the session is shown. */
  storedId: string | null;
  search: HomeSearch;
  actions: NoticeActions;
  lecturesButton: ReactNode;
  /** How the lecture is shared: a button in its head, or a label in full screen. */
  share: (place: "head" | "screen", document: LectureDocument) => ReactNode;
  menu: (props: Omit<LectureMenuProps, "onShare" | "onDeleted">) => ReactNode;
  ask: (part: PartProps) => ReactNode;
  onLectures: () => void;
  /** Opens the stored lecture in the session. Resolves to whether it is open there. */
  onOpen: () => Promise<boolean>;
  onNew: () => void;
  /** The stored lecture was deleted on this page. */
  onDeleted: () => void;
}

/**
 * A lecture with its head, its bilingual page and the recording controls: the one that the session records or has open,
 * or else a stored one. The page is not mounted again when another lecture is shown.
 */
export function LectureScreen(props: LectureScreenProps) {
  const { session, signedIn, storedId, search } = props;
  const t = useT();
  const [opened, setOpened] = useState<OpenedLecture | null>(null);
  const stored = storedId === null ? null : opened?.id === storedId ? opened : unopened;
  const closed = stored?.problem ? missingLecture : loadingLecture;
  const current = useValue(session.lecture);
  const document = stored === null ? current : (stored.document ?? closed);
  const [expanded, setExpanded] = useState<ExpandedPart>(null);
  const [isOpening, runOpening] = useBusy();
  const sample = useValue(currentSample);
  const hasRecording = useField(session.view, "hasRecording");
  const lecture = useField(document.view, "lecture");
  const hasRows = useValue(document.transcript.blocks).length > 0;
  const hasSummary = useValue(document.summary).text !== "";
  const isSummaryOffered = stored === null ? hasRecording : hasRows || hasSummary;
  const areDialogsLoaded = useLatch(useValue(currentDialog) !== null);
  const areReadingDialogsLoaded = useLatch(useValue(readingDialog) !== null);
  const nameField = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLElement>(null);
  const language = useLanguage();
  const name = lecture && getPageTitle(lecture, language);
  useTitle(name === null ? t("title.record") : `${name} · ${t("brand.name")}`, stored !== null);
  // Without a transcript the summary, and its button to leave full screen, are gone.
  if (expanded === "summary" && !isSummaryOffered) setExpanded(null);

  const recording = useField(session.view, "status") === "recording";
  const status = useField(document.view, "status");
  useEffect(() => {
    // Loaded now, because the network may be lost before the recording ends.
    if (recording)
      void Promise.allSettled([loadDialogs(), loadReadingDialogs(), loadSummaryPart()]);
  }, [recording]);

  // Recording then starts without loading code, also after the network is lost.
  useEffect(() => preloadWhenIdle(async () => session.preload()), [session]);

  // Another lecture, or leaving the page, closes its dialog and ends the sample.
  const shownLecture = useLectureKey(document);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each lecture
  useEffect(
    () => () => {
      endSample();
      isTextCardOpen.set(false);
      currentDialog.set(null);
      readingDialog.set(null);
    },
    [shownLecture],
  );

  const { editing, again } = useRouterState({ select: ({ location }) => location.state });
  const lectureId = lecture?.id ?? null;
  useEffect(() => {
    if (again && lectureId !== null) readingDialog.set({ kind: "again" });
  }, [again, lectureId]);
  useEffect(() => {
    if (lectureId === null) return;
    // Opened by an Edit link.
    if (editing) nameField.current?.focus({ preventScroll: true });
    return () => setReturnFocus(lectureId);
  }, [editing, lectureId]);

  /** Resolves to whether the session holds the shown lecture, and nothing else is going on. */
  async function open(): Promise<boolean> {
    if (session.view.get().busy !== null || isOpening) return false;
    if (stored === null) return true;
    if (session.view.get().status === "recording" || !stored.document) return false;
    return runOpening(props.onOpen);
  }

  async function record(options?: { engine?: SpeechEngine }) {
    if (await open()) await session.record(options);
  }

  async function save() {
    if (lecture?.status === "completed") return;
    if ((await open()) && session.canSave()) openDialog("save");
  }

  useShortcuts({
    r: () => void record(),
    s: () => {
      if (session.view.get().canStop) void session.stop();
    },
    "mod+s": () => void save(),
    "/": () => {
      setExpanded(null);
      // The sidebar is inert until the panel has left full screen.
      setTimeout(props.onLectures);
    },
  });

  // A finished lecture is read, until it is continued.
  const isRecorded = stored === null && (lecture?.status !== "completed" || status === "recording");
  const menu = props.menu({
    document: sample?.lecture ?? document,
    isRecorded,
    onSave: () => void save(),
    onFullScreen: () => setExpanded("transcript"),
  });
  return (
    <main
      id="content"
      className="relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]"
    >
      <ReadingSurface
        lecture={sample?.lecture ?? document}
        page={page}
        head={(tools) => (
          <>
            <LectureHead
              session={session}
              document={document}
              signedIn={signedIn}
              search={search}
              nameField={nameField}
              page={page}
              isSample={sample !== null}
              isRecorded={isRecorded}
              lecturesButton={props.lecturesButton}
              tools={tools}
              share={props.share("head", document)}
              menu={expanded === "transcript" ? null : menu}
            />
            <div className="absolute inset-x-0 top-full">
              {sample ? null : <HeadMessage session={session} isRead={stored !== null} />}
            </div>
          </>
        )}
        opening={
          sample ? null : (
            <TitlePage session={session} document={document} isRecorded={isRecorded} />
          )
        }
        ending={
          isRecorded || sample ? null : (
            <RecordingEnd
              session={session}
              document={document}
              isOpening={isOpening}
              onRecord={() => void record()}
              onNew={props.onNew}
            />
          )
        }
        onOptions={() => isTextCardOpen.set(true)}
        empty={(texts) =>
          sample
            ? null
            : (stored?.problem ?? (
                <EmptyState session={session} document={document} texts={texts} />
              ))
        }
        status={
          <div className="flex items-center gap-3">
            {sample ? null : <Status session={session} document={document} />}
            {props.share("screen", document)}
          </div>
        }
        menu={menu}
        summary={isSummaryOffered ? { signedIn, opens: search.part === "summary" } : null}
        ask={hasRows && sample === null ? props.ask : null}
        startsAtTop={stored !== null || lecture?.status === "completed"}
        expanded={expanded}
        onExpand={setExpanded}
        openSettings={openSettings}
      >
        {stored?.problem && !recording
          ? null
          : (sample?.controls ?? (
              <RecordingControls
                session={session}
                document={document}
                signedIn={signedIn}
                isOpening={isOpening}
                onRecord={(options) => void record(options)}
                onSave={() => void save()}
              />
            ))}
        {hasRows && sample === null && !document.isReadOnly ? (
          <LectureTools lecture={document} page={page} signedIn={signedIn} />
        ) : null}
      </ReadingSurface>
      {storedId === null ? null : (
        <StoredLecture
          key={storedId}
          session={session}
          id={storedId}
          actions={props.actions}
          onChange={setOpened}
          onDeleted={props.onDeleted}
        />
      )}
      {search.row === undefined && search.part === undefined ? null : (
        <SearchPlace search={search} />
      )}
      {areDialogsLoaded ? <Dialogs session={session} /> : null}
      {areReadingDialogsLoaded ? <ReadingDialogs lecture={document} /> : null}
    </main>
  );
}

const unopened: OpenedLecture = { id: "", document: null, problem: null };
