import { Link } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatDay } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toastFailure } from "#client/lib/notifications.ts";
import { useTitle } from "#client/lib/title.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { IconButton } from "#client/ui/button.tsx";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { LoadFailure, Placeholder } from "#client/ui/placeholder.tsx";
import type { SharedLecture } from "#shared/people.ts";
import { togetherMessages, useT } from "./messages/index.ts";

const ConfirmDialog = lazyPart(() => import("#client/ui/confirm-dialog.tsx"), togetherMessages);

/** Lectures that others share with the person by name. */
export default function SharedList() {
  const t = useT();
  useTitle(t("title.shared"));
  const { data, isError, refetch } = api.people.shared.useQuery(undefined, { staleTime: 0 });
  const [left, setLeft] = useState<SharedLecture | null>(null);
  async function leave(lectureId: string) {
    try {
      await trpc.people.leave.mutate({ lectureId });
      await refetch();
    } catch (error) {
      toastFailure(getErrorMessage(error));
      return false;
    }
    return true;
  }
  return (
    <>
      <PageHead title={t("shared.title")}>
        <p className="max-w-[60ch] text-pretty">{t("shared.hint")}</p>
      </PageHead>
      <div className="mt-6">
        {data && data.length > 0 ? (
          <ul aria-label={t("shared.title")}>
            {data.map((lecture) => (
              <SharedRow key={lecture.id} lecture={lecture} onLeave={() => setLeft(lecture)} />
            ))}
          </ul>
        ) : data ? (
          <Placeholder title={t("shared.none")} text={t("shared.noneHint")} />
        ) : isError ? (
          <LoadFailure text={t("shared.failed")} onRetry={refetch} />
        ) : (
          <CardListSkeleton />
        )}
      </div>
      {left ? (
        <ConfirmDialog
          open
          title={t("shared.leaveTitle")}
          text={t("shared.leaveText", { title: left.title, owner: left.owner })}
          confirmLabel={t("shared.leaveConfirm")}
          busyLabel={t("shared.leaving")}
          onClose={() => setLeft(null)}
          onConfirm={() => leave(left.id)}
        />
      ) : null}
    </>
  );
}

function SharedRow({ lecture, onLeave }: { lecture: SharedLecture; onLeave: () => void }) {
  const t = useT();
  const language = useLanguage();
  const { id, title, owner, role, createdAt, excerpt } = lecture;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-rule border-t py-3.5 first:border-t-0 hover:bg-paper-2">
      <div className="min-w-0">
        <h2 className="truncate font-semibold text-md">
          <Link to="/shared" search={{ lecture: id }} className="after:absolute after:inset-0">
            <bdi>{title}</bdi>
          </Link>
        </h2>
        <p className="tabular flex flex-wrap gap-x-1.5 text-ink-3 text-sm">
          <bdi>{t("shared.from", { owner })}</bdi>
          <span aria-hidden="true">·</span>
          <span>{t(`shared.${role}`)}</span>
          <span aria-hidden="true">·</span>
          <time dateTime={createdAt}>{formatDay(createdAt, language)}</time>
        </p>
        <p dir="auto" className="line-clamp-1 text-left text-ink-3 text-sm max-book:hidden">
          {excerpt}
        </p>
      </div>
      <IconButton
        icon={LogOut}
        label={t("shared.leave", { title })}
        onClick={onLeave}
        className="relative z-1 size-8"
      />
    </li>
  );
}
