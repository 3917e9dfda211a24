import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { Suspense, useState } from "react";
import { AccessDenied } from "#client/features/account/access-denied.tsx";
import { ConfirmNotice } from "#client/features/account/confirm-notice.tsx";
import { accountMessages, useT } from "#client/features/account/messages/index.ts";
import { Header } from "#client/features/shell/header.tsx";
import { planMessages } from "#client/features/subscriptions/messages/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { confirmSignOut, signOut } from "#client/state/sign-out.ts";
import { visitor } from "#client/state/visitor.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { PageMain } from "#client/ui/page.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";

const DataProvider = lazyPage(async () => ({
  default: (await import("#client/state/queries.tsx")).DataProvider,
}));
const ProfileView = lazyPage(
  () => import("#client/features/account/profile-view.tsx"),
  accountMessages,
);
export const parts = [DataProvider, ProfileView];

// Loaded when opened.
const CheckoutReturn = lazyPart(
  () => import("#client/features/subscriptions/checkout-return.tsx"),
  planMessages,
);
const BlockedPage = lazyPartAfterPaint(
  async () => ({
    default: (await import("#client/features/subscriptions/new-tab.tsx")).BlockedPage,
  }),
  planMessages,
);
const PastDue = lazyPartAfterPaint(
  () => import("#client/features/subscriptions/past-due.tsx"),
  planMessages,
);
const TestButtons = lazyPartAfterPaint(
  () => import("#client/features/subscriptions/test-buttons.tsx"),
  planMessages,
);
const loadLater = () => import("./profile-later.tsx");
const loadLaterPart = (name: "SoundSettings" | "SpeechSettings" | "StorageRows") =>
  lazyPartAfterPaint(async () => ({ default: (await loadLater())[name] }), {
    load: async () => (await loadLater()).loadMessages(),
  });
const SoundSettings = loadLaterPart("SoundSettings");
const SpeechSettings = loadLaterPart("SpeechSettings");
const StorageRows = loadLaterPart("StorageRows");
const PasswordView = lazyPart(
  () => import("#client/features/account/password-view.tsx"),
  accountMessages,
);
const PlansView = lazyPart(
  () => import("#client/features/subscriptions/plans-view.tsx"),
  planMessages,
);

export default function ProfilePage() {
  const t = useT();
  const navigate = useNavigate();
  const who = useValue(visitor);
  const { view = "main", checkout } = useRouterState({
    select: ({ location }) => location.state,
  });
  const [leaving, setLeaving] = useState(false);
  useTitle(`${t(titles[view])} · ${t("brand.name")}`);

  if (who.kind !== "user") return leaving ? null : <AccessDenied />;

  /** Runs `end`, which ends the session, and leaves the page without showing "access denied". */
  async function endAndLeave(end: () => Promise<void>) {
    setLeaving(true);
    try {
      await end();
      await navigate({ to: "/auth" });
    } finally {
      setLeaving(false);
    }
  }

  const toMain = () => void navigate({ to: "/profile", replace: true });
  const toView = (next: "password" | "subscription") =>
    void navigate({ to: "/profile", state: { view: next } });

  const back = (
    <>
      <ArrowLeft className="size-4" />
      {t("profile.back")}
    </>
  );
  const backClass = `${getButtonClass({ look: "quiet" })} -ml-4`;
  return (
    <>
      <Header />
      <PageMain measure="wide">
        <div className="-mt-5 mb-3 max-sm:-mt-4 max-sm:mb-1">
          {view === "main" ? (
            <Link to="/" className={backClass}>
              {back}
            </Link>
          ) : (
            <button type="button" onClick={toMain} className={backClass}>
              {back}
            </button>
          )}
        </div>
        <Suspense fallback={viewSkeleton}>
          <DataProvider>
            {view === "password" ? (
              <PasswordView fallback={viewSkeleton} email={who.user.email} onDone={toMain} />
            ) : (
              <>
                <BlockedPage />
                {checkout ? <CheckoutReturn outcome={checkout} onNotified={toMain} /> : null}
                <PastDue />
              </>
            )}
            {view === "subscription" ? <PlansView fallback={viewSkeleton} /> : null}
            {view === "main" ? (
              <>
                <ConfirmNotice />
                <ProfileView
                  email={who.user.email}
                  sound={<SoundSettings fallback={<div className="h-80" />} />}
                  speech={<SpeechSettings fallback={<div className="h-80" />} />}
                  storage={<StorageRows />}
                  onSignOut={() =>
                    void confirmSignOut(
                      (deletesSound) => void endAndLeave(() => signOut(deletesSound)),
                    )
                  }
                  testControls={<TestButtons />}
                  onPassword={() => toView("password")}
                  onPlans={() => toView("subscription")}
                  onDelete={endAndLeave}
                />
              </>
            ) : null}
          </DataProvider>
        </Suspense>
      </PageMain>
    </>
  );
}

const titles = {
  main: "profile.title",
  password: "password.title",
  subscription: "plans.title",
} as const;

const viewSkeleton = (
  <LoadingSkeleton className="grid gap-4">
    <Skeleton className="h-9 w-64" />
    <Skeleton className="h-48 w-full" />
  </LoadingSkeleton>
);
