import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { connectMessages, type MessageKey, useT } from "#client/features/connect/messages/index.ts";
import { Header } from "#client/features/shell/header.tsx";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { visitor } from "#client/state/visitor.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { PageMain } from "#client/ui/page.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { requestProblems } from "#shared/oauth.ts";

const route = getRouteApi("/connect");

const Consent = lazyPage(() => import("#client/features/connect/consent.tsx"), connectMessages);
export const parts = [Consent];

/** /connect: a program asks the person for access. */
export default function ConnectPage() {
  const t = useT();
  const { request, problem } = route.useSearch();
  const who = useValue(visitor);
  useTitle(`${t("connect.title")} · ${t("brand.name")}`);
  if (who.kind !== "user") return null;
  const known = requestProblems.find((one) => one === problem) ?? "request";
  return (
    <>
      <Header />
      <PageMain measure="reading">
        {typeof request !== "string" || problem !== undefined ? (
          <Problem text={`connect.problem.${known}`} />
        ) : (
          <Suspense fallback={skeleton}>
            <Consent
              request={request}
              email={who.user.email}
              expired={<Problem text="connect.problem.expired" />}
              onLeave={leaveFor}
            />
          </Suspense>
        )}
      </PageMain>
    </>
  );
}

const skeleton = (
  <LoadingSkeleton className="grid gap-6">
    <Skeleton className="h-9 w-full" />
    <Skeleton className="h-48 w-full" />
  </LoadingSkeleton>
);

/** The page of the request is not one to come back to. */
const leaveFor = (address: string) => window.location.replace(address);

function Problem({ text }: { text: MessageKey }) {
  const t = useT();
  return (
    <Placeholder role="alert" title={t("connect.problem")} text={t(text)}>
      <Link to="/" className={getButtonClass()}>
        {t("connect.home")}
      </Link>
    </Placeholder>
  );
}
