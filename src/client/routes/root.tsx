import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { Suspense, useDeferredValue, useLayoutEffect, useState } from "react";
import { challengeMessages } from "#client/features/challenge/messages/index.ts";
import { PageBars } from "#client/features/shell/page-bars.tsx";
import { commonMessages, useT } from "#client/i18n/index.ts";
import { markFirstPaint } from "#client/lib/after-first-paint.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import { pendingChallenges } from "#client/state/challenge.ts";
import { hasNotifications } from "#client/state/notifications.ts";
import { LoadingPage } from "./loading-page.tsx";

const Notifications = lazyPart(() => import("#client/ui/notifications.tsx"), commonMessages);

const ChallengeCard = lazyPart(
  () => import("#client/features/challenge/challenge-card.tsx"),
  challengeMessages,
);

export function Root() {
  const t = useT();
  const wanted = useValue(hasNotifications);
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
    markFirstPaint();
  }, [place]);
  return <Outlet />;
}
