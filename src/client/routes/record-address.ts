import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { canRecord } from "#client/lib/browser.ts";
import { useField } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { closeDocument } from "#client/state/document-registry.ts";
import { autostartDelayMs } from "#shared/limits.ts";

const route = getRouteApi("/record");

/** Records once `session` is idle, unless `lectureId` failed to open. Returns a function that cancels it. */
function recordWhenIdle(session: RecordingSession, lectureId: string | undefined): () => void {
  let unsubscribe = () => {};
  const update = () => {
    const { busy, status, lecture } = session.view.get();
    if (busy !== null) return;
    unsubscribe();
    if (status === "recording" || (lectureId && lecture?.id !== lectureId)) return;
    void session.record();
  };
  unsubscribe = session.view.subscribe(update);
  update();
  return unsubscribe;
}

const isRecording = ({ view }: RecordingSession) =>
  view.get().status === "recording" || view.get().busy === "starting";

/**
 * Opens lecture `id` in `session`, once the page that showed it before has saved it. Until then, a recording that the
 * person starts or the returned function cancels it.
 */
function load(session: RecordingSession, id: string): () => void {
  let isCancelled = false;
  const wasRecording = isRecording(session);
  const start = () => {
    if (!isCancelled && (wasRecording || !isRecording(session))) void session.load(id);
  };
  const closing = closeDocument(id);
  if (closing) void closing.then(start);
  else start();
  return () => {
    isCancelled = true;
  };
}

/** Synchronises `?lecture=` with the open lecture and handles `?autostart=true`, for signed-in users. */
export function useLectureAddress(
  session: RecordingSession,
  signedIn: boolean,
): { open: (id: string) => void } {
  const { lecture: requestedId, autostart } = route.useSearch();
  const navigate = useNavigate();
  const openId = useField(session.view, "lecture")?.id ?? null;
  const lastOpen = useRef(openId);
  const cancelLoad = useRef(() => {});
  const cancelRecord = useRef(() => {});

  useEffect(() => {
    if (!requestedId || session.view.get().lecture?.id === requestedId) return;
    cancelLoad.current = load(session, requestedId);
    return () => cancelLoad.current();
  }, [session, requestedId]);

  useEffect(() => {
    const changed = lastOpen.current !== openId;
    lastOpen.current = openId;
    // An address that names another lecture is a request to open it and must not be overwritten.
    const isAddressOutdated = openId
      ? openId !== requestedId && (changed || !requestedId)
      : changed;
    if (!signedIn || !isAddressOutdated) return;
    void navigate({ to: "/record", search: openId ? { lecture: openId } : {}, replace: true });
  }, [openId, requestedId, signedIn, navigate]);

  useEffect(() => {
    if (!autostart) return;
    const timer = setTimeout(() => {
      void navigate({
        to: "/record",
        search: ({ lecture }: { lecture?: string }) => (lecture ? { lecture } : {}),
        replace: true,
      });
      if (signedIn && canRecord()) cancelRecord.current = recordWhenIdle(session, requestedId);
    }, autostartDelayMs);
    return () => clearTimeout(timer);
  }, [autostart, requestedId, signedIn, session, navigate]);
  useEffect(() => () => cancelRecord.current(), []);

  return {
    open: (id) => {
      if (id !== requestedId) void navigate({ to: "/record", search: { lecture: id } });
      // The address does not change, so the effect above would not retry a failed load.
      else if (session.view.get().lecture?.id !== id) {
        cancelLoad.current();
        cancelLoad.current = load(session, id);
      }
    },
  };
}
