import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { canRecord } from "#client/lib/can-record.ts";
import { useField } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/types.ts";
import { autostartDelayMs } from "#shared/limits.ts";

const route = getRouteApi("/record");

/** Records when `session` is idle, unless a `wanted` lecture failed to open; returns the way to call it off. */
function recordWhenIdle(session: RecordingSession, wanted: string | undefined): () => void {
  let leave = () => {};
  const look = () => {
    const { busy, status, lecture } = session.view.get();
    if (busy !== null) return;
    leave();
    if (status === "recording" || (wanted && lecture?.id !== wanted)) return;
    void session.record();
  };
  leave = session.view.subscribe(look);
  look();
  return leave;
}

/** Keeps `?lecture=` and the open lecture in step and follows `?autostart=true`, for signed-in users. */
export function useLectureAddress(
  session: RecordingSession,
  signedIn: boolean,
): { open: (id: string) => void } {
  const { lecture: wanted, autostart } = route.useSearch();
  const navigate = useNavigate();
  const openId = useField(session.view, "lecture")?.id ?? null;
  const lastOpen = useRef(openId);
  const callOff = useRef(() => {});

  useEffect(() => {
    if (!wanted || session.view.get().lecture?.id === wanted) return;
    void session.load(wanted);
  }, [session, wanted]);

  useEffect(() => {
    const changed = lastOpen.current !== openId;
    lastOpen.current = openId;
    // An address that names another lecture is a wish, and not to be overwritten.
    const outdated = openId ? openId !== wanted && (changed || !wanted) : changed;
    if (!signedIn || !outdated) return;
    void navigate({ to: "/record", search: openId ? { lecture: openId } : {}, replace: true });
  }, [openId, wanted, signedIn, navigate]);

  useEffect(() => {
    if (!autostart) return;
    const timer = setTimeout(() => {
      void navigate({
        to: "/record",
        search: ({ lecture }: { lecture?: string }) => (lecture ? { lecture } : {}),
        replace: true,
      });
      if (signedIn && canRecord()) callOff.current = recordWhenIdle(session, wanted);
    }, autostartDelayMs);
    return () => clearTimeout(timer);
  }, [autostart, wanted, signedIn, session, navigate]);
  useEffect(() => () => callOff.current(), []);

  return {
    open: (id) => {
      if (id !== wanted) void navigate({ to: "/record", search: { lecture: id } });
      // The address stays the same, so nobody else would try again what has failed.
      else if (session.view.get().lecture?.id !== id) void session.load(id);
    },
  };
}
