import { type ReactNode, useEffect, useState } from "react";
import { challengeMessages } from "#client/features/challenge/messages/index.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { hasNotifications } from "#client/lib/notifications.ts";
import { pendingChallenges } from "#client/state/challenge.ts";
import { PageBars } from "./features/shell/page-bars.tsx";

const Notifications = lazyPart(() => import("#client/ui/toasts.tsx"), commonMessages);

const ShortcutHelp = lazyPartAfterPaint(
  () => import("./features/shell/shortcut-help.tsx"),
  commonMessages,
);

const ChallengeCard = lazyPart(
  () => import("#client/features/challenge/challenge-card.tsx"),
  challengeMessages,
);

/** A page, and what every page shows over itself. */
export function PageFrame({ children }: { children: ReactNode }) {
  const showsNotifications = useValue(hasNotifications);
  const isChallenged = useValue(pendingChallenges).length > 0;
  // Not in the prerendered markup: what is loaded later has no place there, and React would find a difference.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <>
      <PageBars />
      {children}
      {isMounted ? <ShortcutHelp /> : null}
      {showsNotifications ? <Notifications /> : null}
      {isChallenged ? <ChallengeCard /> : null}
    </>
  );
}
