import { useRouter, useRouterState } from "@tanstack/react-router";
import { PanelLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { sidebarMessages } from "#client/features/library/sidebar/messages/index.ts";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { preloadTextCard } from "#client/features/recording/head/lecture-head.tsx";
import { LectureScreen, StoredLecture } from "#client/features/recording/lecture-screen.tsx";
import { useT } from "#client/features/recording/messages/index.ts";
import { createActions, openSession } from "#client/features/recording/open-session.ts";
import { openDialog } from "#client/features/recording/screen-state.ts";
import { isShareDialogOpen } from "#client/features/sharing/dialog-state.ts";
import { sharingMessages } from "#client/features/sharing/messages/index.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { searchFocusRequested } from "#client/lib/focus.ts";
import { getFolderFilter, toListSearch } from "#client/lib/home-search.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint, preloadWhenIdle } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { TranscriptRows } from "#client/reading/lazy-parts.tsx";
import { confirmDiscard } from "#client/state/confirm-discard.ts";
import { getVisitorId, type Visitor, visitor } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import { useLectureAddress } from "./record-address.ts";

// The sidebar is loaded after the transcript.
const Sidebar = lazyPart(() => import("./record-sidebar.tsx"), sidebarMessages);
const RecordShare = lazyPartAfterPaint(() => import("./record-share.tsx"), sharingMessages);
const RecordMenu = lazyPartAfterPaint(
  () => import("./record-menu.tsx"),
  dialogMessages,
  readingDialogMessages,
  libraryMessages,
);
const AskPart = lazyPart(() => import("#client/features/ask/ask-part.tsx"), askMessages);

// What a stored lecture needs comes with the screen, so that its rows do not wait for each part in turn.
export const inOnePiece = new URLSearchParams(location.search).has("lecture");
export const parts = inOnePiece ? [StoredLecture, TranscriptRows] : [];

/** The recording screen of the visitor, and the sidebar. */
export default function RecordContent() {
  const who = useValue(visitor);
  if (who.kind !== "user" && who.kind !== "guest") return null;
  return <VisitorRecording key={getVisitorId(who)} who={who} />;
}

function VisitorRecording({ who }: { who: Extract<Visitor, { kind: "user" | "guest" }> }) {
  const t = useT();
  const router = useRouter();
  const [actions] = useState(() => createActions(router));
  const [session] = useState(() => openSession(who, actions));
  const saving = useField(session.view, "busy") === "saving";
  const [areLecturesOpen, setLecturesOpen] = useState(false);
  const lecturesButton = useRef<HTMLButtonElement>(null);
  const signedIn = who.kind === "user";
  const address = useLectureAddress(session, signedIn);
  const { settings } = useRouterState({ select: ({ location }) => location.state });
  useEffect(() => {
    if (settings) openDialog("settings");
  }, [settings]);

  // All of these may be needed when the network is lost. What the sample shows comes first.
  useEffect(
    () =>
      preloadWhenIdle(
        TranscriptRows.preload,
        () => import("#client/reading/announcer.tsx"),
        () => import("#client/reading/find-bar.tsx"),
        readingDialogMessages.load,
        StoredLecture.preload,
        Sidebar.preload,
        preloadTextCard,
        dialogMessages.load,
      ),
    [],
  );

  const { search, storedId } = address;
  const openId = useField(session.view, "lecture")?.id ?? null;

  function startNew() {
    confirmDiscard(() => {
      void session.reset();
      if (storedId !== null) address.leave();
    }, actions.signIn);
  }

  function closeLectures() {
    setLecturesOpen(false);
    lecturesButton.current?.focus();
  }

  return (
    <>
      {areLecturesOpen ? (
        <Sidebar
          signedIn={signedIn}
          openId={storedId ?? openId}
          saving={saving}
          onClose={closeLectures}
          onOpen={(id) => {
            address.show(id);
            closeLectures();
          }}
          onNew={() => {
            startNew();
            closeLectures();
          }}
        />
      ) : null}
      <LectureScreen
        session={session}
        signedIn={signedIn}
        storedId={storedId}
        search={search}
        actions={actions}
        lecturesButton={
          <Button
            ref={lecturesButton}
            look="quiet"
            aria-expanded={areLecturesOpen}
            aria-label={t("sidebar.show")}
            title={t("sidebar.show")}
            onClick={() => setLecturesOpen(true)}
            className="h-9 px-2.5! text-ink-2! text-sm max-[43.75rem]:px-2! max-[22.5rem]:min-w-9!"
          >
            <PanelLeft className="size-4.5" />
            <span className="max-book:hidden">{t("sidebar.lectures")}</span>
          </Button>
        }
        share={(place, document) => (
          <RecordShare
            fallback={
              place === "head" ? (
                <span className="h-9 min-w-9 max-[43.75rem]:hidden book:min-w-26" />
              ) : null
            }
            session={session}
            document={document}
            place={place}
          />
        )}
        menu={(props) => (
          <RecordMenu
            {...props}
            onShare={() => isShareDialogOpen.set(true)}
            onDeleted={() =>
              void router.navigate({
                to: "/",
                search: toListSearch(search.q, getFolderFilter(search)),
                replace: true,
              })
            }
          />
        )}
        ask={(part) => <AskPart {...part} signedIn={signedIn} />}
        onLectures={() => {
          setLecturesOpen(true);
          searchFocusRequested.set(true);
        }}
        onOpen={address.open}
        onNew={startNew}
        onDeleted={address.leave}
      />
    </>
  );
}
