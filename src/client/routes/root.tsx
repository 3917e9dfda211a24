import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageBars } from "../features/shell/page-bars.tsx";
import { useT } from "../i18n/index.ts";
import { lazyPart } from "../lib/lazy.tsx";
import { notificationsWanted } from "../lib/notify.ts";
import { useValue } from "../lib/signal.ts";

const Notifications = lazyPart(
  () => import("../ui/notifications.tsx"),
  // Its words are those that every page has.
  () => Promise.resolve(),
);

/** Round every page: the page, and what it has to tell. */
export function Root() {
  const t = useT();
  const wanted = useValue(notificationsWanted);
  return (
    <>
      <PageBars />
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
