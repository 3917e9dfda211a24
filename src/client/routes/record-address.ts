import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { canRecord } from "#client/lib/browser.ts";
import { getFolderFilter, type HomeSearch } from "#client/lib/home-search.ts";
import { useField } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { autostartDelayMs } from "#shared/limits.ts";

const route = getRouteApi("/record");

/** Opens lecture `id` in `session`. Resolves to whether it is open, and still wanted. */
async function openLecture(
  session: RecordingSession,
  id: string,
  isWanted: () => boolean,
): Promise<boolean> {
  await session.load(id);
  return isWanted() && session.view.get().lecture?.id === id;
}

/** Records once `session` is idle, in lecture `id` if there is one. Returns a function that cancels it. */
function recordWhenIdle(session: RecordingSession, id: string | undefined): () => void {
  let unsubscribe = () => {};
  let isCancelled = false;
  const update = () => {
    const { busy, status, lecture } = session.view.get();
    if (busy !== null) return;
    unsubscribe();
    if (status === "recording") return;
    if (!id || lecture?.id === id) void session.record();
    else
      void openLecture(session, id, () => !isCancelled).then((isOpen) => {
        if (isOpen) void session.record();
      });
  };
  unsubscribe = session.view.subscribe(update);
  update();
  return () => {
    isCancelled = true;
    unsubscribe();
  };
}

/**
 * What `?lecture=` shows, and `?autostart=true`, for signed-in users. The address follows the session's lecture while it
 * names that. Without a lecture it is what this tab records or has paused; a finished one makes room for a blank sheet.
 */
export function useLectureAddress(session: RecordingSession, signedIn: boolean) {
  const { autostart, ...search } = route.useSearch();
  const { lecture: requestedId } = search;
  const navigate = useNavigate();
  const lecture = useField(session.view, "lecture");
  const isIdle = useField(session.view, "busy") === null;
  const isRecording = useField(session.view, "status") === "recording";
  const openId = lecture?.id ?? null;
  /** The session's lecture when the address was last in step with it. */
  const [knownId, setKnownId] = useState(openId);
  const isFollowing = (requestedId ?? null) === knownId;
  const isFinished = lecture?.status === "completed" && !isRecording && isIdle;
  const isLeft = isFinished && !requestedId && !(isFollowing && knownId !== openId);
  const isOutdated =
    signedIn &&
    !isLeft &&
    ((isFollowing && openId !== knownId) || (!requestedId && openId !== null));
  const cancelRecord = useRef(() => {});
  const wantedId = useRef(requestedId);
  useEffect(() => {
    wantedId.current = requestedId;
    return () => {
      wantedId.current = undefined;
    };
  }, [requestedId]);
  const openWanted = (id: string) => openLecture(session, id, () => wantedId.current === id);

  useEffect(() => {
    if (isOutdated)
      void navigate({ to: "/record", search: openId ? { lecture: openId } : {}, replace: true });
    else setKnownId(openId);
  }, [isOutdated, openId, navigate]);

  // A lecture that is opened from a folder's list keeps its own folder.
  const newFolderId = requestedId ? null : (getFolderFilter(search) ?? null);
  useEffect(() => {
    if (signedIn) session.setNewFolder(newFolderId);
  }, [newFolderId, signedIn, session]);

  useEffect(() => {
    if (isLeft) void session.reset({ quiet: true });
  }, [isLeft, session]);

  useEffect(() => {
    // A guest is told how to get a library.
    if (requestedId && !signedIn) void session.load(requestedId);
  }, [requestedId, signedIn, session]);

  useEffect(() => {
    if (!autostart) return;
    const timer = setTimeout(() => {
      void navigate({
        to: "/record",
        search: ({ autostart: _, ...rest }: HomeSearch & { autostart?: boolean }) => rest,
        replace: true,
      });
      if (signedIn && canRecord()) cancelRecord.current = recordWhenIdle(session, requestedId);
    }, autostartDelayMs);
    return () => clearTimeout(timer);
  }, [autostart, requestedId, signedIn, session, navigate]);
  useEffect(() => () => cancelRecord.current(), []);

  const storedId =
    signedIn && requestedId && requestedId !== openId && !isOutdated ? requestedId : null;
  return {
    search,
    /** The lecture of the address that the session does not hold; null: the session is shown. */
    storedId,
    /** Shows lecture `id`. Another one that is being recorded is stopped. */
    show(id: string) {
      const isBusyElsewhere = isRecording || session.view.get().busy === "starting";
      wantedId.current = id;
      if (isBusyElsewhere && id !== openId) void openWanted(id);
      if (id !== requestedId) void navigate({ to: "/record", search: { lecture: id } });
    },
    /** Opens the shown stored lecture in the session. Resolves to whether it is open there. */
    open: () => (storedId === null ? Promise.resolve(true) : openWanted(storedId)),
    /** Shows a blank sheet, or what the session has open. */
    leave: () => void navigate({ to: "/record", replace: true }),
  };
}
