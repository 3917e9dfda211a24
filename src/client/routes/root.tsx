import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { Suspense, useDeferredValue, useLayoutEffect, useState } from "react";
import { PageBars } from "../features/shell/page-bars.tsx";
import { useT } from "../i18n/index.ts";
import { lazyPart } from "../lib/lazy.tsx";
import { notificationsWanted } from "../lib/notify.ts";
import { pageShown } from "../lib/painted.ts";
import { useValue } from "../lib/signal.ts";
import { LoadingPage } from "./loading-page.tsx";

const Notifications = lazyPart(
  () => import("../ui/notifications.tsx"),
  // Its words are those that every page has.
  () => Promise.resolve(),
);

/** Round every page: the page, and what it has to tell. */
export function Root() {
  const t = useT();
  const wanted = useValue(notificationsWanted);
  // The first page is rendered bit by bit: a telephone hears its owner meanwhile.
  const begun = useDeferredValue(true, false);
  return (
    <>
      <PageBars />
      {begun ? <Page /> : <LoadingPage />}
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

function Page() {
  // Where somebody was on it before the document was loaded anew: when the router looked, it was not there yet.
  const [place] = useState(useElementScrollRestoration({ getElement: () => window }));
  useLayoutEffect(() => {
    if (place) window.scrollTo(place.scrollX, place.scrollY);
    pageShown();
  }, [place]);
  return <Outlet />;
}
