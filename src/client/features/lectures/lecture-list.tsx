import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { LectureListItem } from "../../../shared/lecture.ts";
import { useT } from "../../i18n/index.ts";
import { useEver } from "../../lib/ever.ts";
import { useSubscription } from "../../lib/subscription.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LectureCard } from "./lecture-card.tsx";
import { Message } from "./message.tsx";
import { useLectures } from "./data/use-lectures.ts";
import { useReach } from "./data/use-reach.ts";

const DeleteDialog = lazy(() => import("./delete-dialog.tsx"));

/** Your Lectures: everything that was kept, newest first. */
export function LectureList() {
  const t = useT();
  const { query, lectures, total } = useLectures({ enabled: true });
  const [doomed, setDoomed] = useState<LectureListItem | null>(null);
  const asked = useEver(doomed !== null);
  const more = useReach(() => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  });

  return (
    <>
      <div className="flex items-end justify-between gap-4">
        <div>
          <h1 className="font-semibold text-3xl tracking-tight max-sm:text-2xl">
            {t("home.title")}
          </h1>
          <Usage />
        </div>
        <RecordLink />
      </div>
      {query.isSuccess ? (
        <fieldset className="mt-7 mb-2.5 flex">
          <legend className="sr-only">{t("home.filter")}</legend>
          <button
            type="button"
            aria-pressed="true"
            className="tabular touch-target rounded-full border border-ink bg-ink px-3.5 py-1 text-paper text-sm"
          >
            {t("home.all", { count: total })}
          </button>
        </fieldset>
      ) : null}
      {query.isPending ? <Loading /> : null}
      {query.isError && lectures.length === 0 ? (
        <Message role="alert" title={t("home.failed")} text={t("home.failedHint")}>
          <Button onClick={() => query.refetch()}>{t("common.retry")}</Button>
        </Message>
      ) : null}
      {query.isSuccess && lectures.length === 0 ? (
        <Message title={t("home.empty")} text={t("home.emptyHint")}>
          <Link to="/record" className={buttonClass({ look: "ink" })}>
            {t("home.newLecture")}
          </Link>
        </Message>
      ) : null}
      {lectures.length > 0 ? (
        <ul>
          {lectures.map((lecture) => (
            <LectureCard key={lecture.id} lecture={lecture} onDelete={setDoomed} />
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <div ref={more} role="status">
          <span className="sr-only">{t("home.more")}</span>
          <CardSkeleton />
        </div>
      ) : null}
      {asked ? (
        <Suspense>
          <DeleteDialog lecture={doomed} onClose={() => setDoomed(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

function RecordLink() {
  const t = useT();
  return (
    <Link to="/record" className={buttonClass({ look: "seal", size: "pill" })}>
      <span aria-hidden="true" className="size-2.75 rounded-full bg-current" />
      {t("home.record")}
    </Link>
  );
}

/** Hours of this month; nothing where they are not known. */
function Usage() {
  const t = useT();
  const { info, state } = useSubscription();
  return (
    <p className="tabular mt-1.5 min-h-5 text-ink-3">
      {state === "known"
        ? t("home.used", {
            used: (info.timeUsedThisMonth / 3600).toFixed(1),
            limit: info.hourLimit,
          })
        : null}
    </p>
  );
}

function Loading() {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className="mt-7">
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="mb-2.5 h-7.5 w-36 rounded-full" />
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
    </div>
  );
}

function CardSkeleton() {
  return (
    <div className="grid gap-2.5 py-5">
      <Skeleton className="h-5 w-56" />
      <Skeleton className="h-3.5 w-44" />
      <Skeleton className="h-3.5 w-full max-w-120" />
      <Skeleton className="h-3.5 w-3/4 max-w-96" />
    </div>
  );
}
