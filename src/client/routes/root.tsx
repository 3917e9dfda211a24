import { Outlet, useElementScrollRestoration } from "@tanstack/react-router";
import { Suspense, useLayoutEffect, useState } from "react";
import { challengeMessages } from "#client/features/challenge/messages/index.ts";
import { PageBars } from "#client/features/shell/page-bars.tsx";
import { commonMessages } from "#client/i18n/index.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { hasNotifications } from "#client/lib/notifications.ts";
import { useValue } from "#client/lib/signal.ts";
import { pendingChallenges } from "#client/state/challenge.ts";

const Notifications = lazyPart(() => import("#client/ui/notifications.tsx"), commonMessages);

const ChallengeCard = lazyPart(
  () => import("#client/features/challenge/challenge-card.tsx"),
  challengeMessages,
);

export function Root() {
  const showsNotifications = useValue(hasNotifications);
  const isChallenged = useValue(pendingChallenges).length > 0;
  return (
    <>
      <PageBars />
      <Page />
      {showsNotifications ? (
        <Suspense>
          <Notifications />
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
  // Restores the scroll position after a reload: when the router does it, the page is not rendered yet.
  const [position] = useState(useElementScrollRestoration({ getElement: () => window }));
  useLayoutEffect(() => {
    if (position) window.scrollTo(position.scrollX, position.scrollY);
    reportFirstPage();
  }, [position]);
  return <Outlet />;
}
