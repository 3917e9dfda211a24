import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import MediaProgress from "#client/features/import/media/media-progress.tsx";
import { visitor } from "#client/state/visitor.ts";

/** Progress of sound and video files. Opens the recording session, which recognises them, once one needs it. */
export default function MediaImports() {
  const router = useRouter();
  const openSession = useCallback(async () => {
    const { openSession } = await import("#client/features/recording/open-session.ts");
    const who = visitor.get();
    if (who.kind !== "user") return;
    // The session may keep these actions: the router also outlives this page.
    openSession(who, {
      openPlans: () => void router.navigate({ to: "/profile", state: { view: "subscription" } }),
      openTrash: () => void router.navigate({ to: "/trash" }),
      signIn: () => void router.navigate({ to: "/auth", search: { redirect: "/record" } }),
    });
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
