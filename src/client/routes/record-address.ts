import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { autostartDelayMs } from "../../shared/limits.ts";
import { useValue } from "../lib/signal.ts";
import type { RecordingSession } from "../realtime/contract.ts";

const route = getRouteApi("/record");

/** Whether this browser can hear at all. */
const canRecord = () =>
  "AudioWorkletNode" in window && navigator.mediaDevices?.getUserMedia !== undefined;

/**
 * Keeps `?lecture=` and the open lecture in step, so that a reload finds it again, and follows
 * `?autostart=true`. Both are for signed-in users.
 */
export function useAddress(
  session: RecordingSession,
  signedIn: boolean,
): { open: (id: string) => void } {
  const { lecture: wanted, autostart } = route.useSearch();
  const navigate = useNavigate();
  const openId = useValue(session.view).lecture?.id ?? null;
  const lastOpen = useRef(openId);

  useEffect(() => {
    if (!signedIn || !wanted || session.view.get().lecture?.id === wanted) return;
    void session.load(wanted);
  }, [session, signedIn, wanted]);

  useEffect(() => {
    const changed = lastOpen.current !== openId;
    lastOpen.current = openId;
    // An address that names another lecture is a wish, and not to be overwritten.
    const outdated = openId ? openId !== wanted && (changed || !wanted) : changed;
    if (!signedIn || !outdated) return;
    void navigate({ to: "/record", search: openId ? { lecture: openId } : {}, replace: true });
  }, [openId, wanted, signedIn, navigate]);

  useEffect(() => {
    if (!autostart || !signedIn || !canRecord()) return;
    const timer = setTimeout(() => {
      void navigate({
        to: "/record",
        search: ({ lecture }: { lecture?: string }) => (lecture ? { lecture } : {}),
        replace: true,
      });
      void session.record();
    }, autostartDelayMs);
    return () => clearTimeout(timer);
  }, [autostart, signedIn, session, navigate]);

  return {
    open: (id) => {
      if (id !== wanted) void navigate({ to: "/record", search: { lecture: id } });
      // The address stays the same, so nobody else would try again what has failed.
      else if (session.view.get().lecture?.id !== id) void session.load(id);
    },
  };
}
