import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useT } from "../i18n/index.ts";
import { notificationsWanted } from "../lib/notify.ts";
import { useValue } from "../lib/signal.ts";

const Notifications = lazy(() => import("../ui/notifications.tsx"));

/** Round every page: the page, and what it has to tell. */
export function Root() {
  const t = useT();
  const wanted = useValue(notificationsWanted);
  return (
    <>
      <Outlet />
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
