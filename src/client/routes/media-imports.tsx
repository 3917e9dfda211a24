import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import MediaProgress from "#client/features/import/media/media-progress.tsx";
import { visitor } from "#client/state/visitor.ts";

/** Progress of sound and video files. Opens the recording session, which recognises them, once one needs it. */
export default function MediaImports() {
  const router = useRouter();
  const openSession = useCallback(async () => {
    const sessions = await import("#client/features/recording/open-session.ts");
    const who = visitor.get();
    if (who.kind === "user") sessions.openSession(who, sessions.createActions(router));
  }, [router]);
  return (
    <MediaProgress
      onNeedsSession={() => {
        openSession().catch((failure: unknown) =>
          console.warn("The recording session could not be opened", failure),
        );
      }}
    />
  );
}
