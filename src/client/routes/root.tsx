import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { Suspense, useDeferredValue, useLayoutEffect, useState } from "react";
import { challengeMessages } from "../features/challenge/messages/index.ts";
import { PageBars } from "../features/shell/page-bars.tsx";
import { pendingChallenges } from "../lib/challenge.ts";
import { lazyPart } from "../lib/lazy.tsx";
import { notificationsWanted } from "../lib/notify.ts";
import { pageShown } from "../lib/painted.ts";
import { useValue } from "../lib/signal.ts";
import { commonMessages, useT } from "../messages/index.ts";
import { LoadingPage } from "./loading-page.tsx";

const Notifications = lazyPart(() => import("../ui/notifications.tsx"), commonMessages);

const ChallengeCard = lazyPart(
  () => import("../features/challenge/challenge-card.tsx"),
  challengeMessages,
);

export function Root() {
  const t = useT();
  const wanted = useValue(notificationsWanted);
  const isChallenged = useValue(pendingChallenges).length > 0;
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
      {isChallenged ? (
        <Suspense>
          <ChallengeCard />
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
