import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useT } from "../i18n/index.ts";
import { visitor } from "../lib/auth.ts";
import { notificationsWanted } from "../lib/notify.ts";
import { recordingSession } from "../lib/recording.ts";
import { useValue } from "../lib/signal.ts";

const GuestLeave = lazy(() => import("../features/recording/guest-leave.tsx"));
const Notifications = lazy(() => import("../ui/notifications.tsx"));

/** Round every page: the page, and what it has to tell. */
export function Root() {
  const t = useT();
  const wanted = useValue(notificationsWanted);
  const session = useValue(recordingSession);
  const guest = useValue(visitor).kind === "guest";
  return (
    <>
      <Outlet />
      {session && guest ? (
        <Suspense>
          <GuestLeave />
        </Suspense>
      ) : null}
      {wanted ? (
        <Suspense>
          <Notifications
            labels={{
              notifications: t("common.notifications"),
              close: t("common.close"),
              ok: t("common.ok"),
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
