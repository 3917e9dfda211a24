import { Link } from "@tanstack/react-router";
import { ArrowLeft, PencilLine } from "lucide-react";
import { useEffect, useState } from "react";
import type { Lecture } from "../../../shared/lecture.ts";
import { useT } from "../../i18n/index.ts";
import { formatDay, formatTime } from "../../lib/dates.ts";
import { toApiError } from "../../lib/failure.ts";
import { toast } from "../../lib/notify.ts";
import { api } from "../../lib/queries.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DetailSkeleton } from "./detail-skeleton.tsx";
import { EntryPages } from "./entry-pages.tsx";
import { LectureName } from "./lecture-name.tsx";
import { Message } from "./message.tsx";
import { SummaryPanel } from "./summary-panel.tsx";

/** One lecture, opened: its name, its two texts, its summary. */
export default function LectureDetail({ id }: { id: string }) {
  const t = useT();
  const query = api.lectures.get.useQuery({ id });
  const gone = query.error ? isGone(query.error) : false;

  useEffect(() => {
    if (query.isError) {
      toast({
        kind: "failure",
        title: t(gone ? "detail.notFound" : "detail.loadError"),
        description: t(gone ? "detail.notFoundText" : "detail.loadErrorText"),
      });
    }
  }, [query.isError, gone, t]);

  return (
    <>
      <div className="mb-7 flex items-center justify-between gap-3">
        <Link to="/" className={`${buttonClass({ look: "quiet" })} -ml-4`}>
          <ArrowLeft className="size-4" aria-hidden="true" />
          {t("detail.back")}
        </Link>
        {query.data ? (
          <Link to="/record" search={{ lecture: id }} className={buttonClass()}>
            <PencilLine className="size-4" aria-hidden="true" />
            {t("detail.edit")}
          </Link>
        ) : null}
      </div>
      {query.data ? <Opened lecture={query.data} /> : null}
      {query.isPending ? <DetailSkeleton /> : null}
      {query.isError && !query.data ? (
        <Message
          role="alert"
          title={t(gone ? "detail.notFound" : "detail.loadError")}
          text={t(gone ? "detail.notFoundText" : "detail.loadErrorText")}
        >
          {gone ? (
            <Link to="/" className={buttonClass({ look: "ink" })}>
              {t("detail.back")}
            </Link>
          ) : (
            <Button onClick={() => query.refetch()}>{t("common.retry")}</Button>
          )}
        </Message>
      ) : null}
    </>
  );
}

/** An id that is none of ours is as good as a lecture that is gone. */
function isGone(failure: unknown): boolean {
  const { code } = toApiError(failure);
  return code === "not_found" || code === "validation_failed";
}

type Part = "transcript" | "summary";

function Opened({ lecture }: { lecture: Lecture }) {
  const t = useT();
  const [part, setPart] = useState<Part>("transcript");
  return (
    <article>
      <LectureName key={lecture.id} lecture={lecture} />
      <p className="tabular mt-1 mb-6 flex gap-3.5 text-ink-3 text-sm">
        <span>{formatDay(lecture.createdAt)}</span>
        <span>{formatTime(lecture.createdAt)}</span>
      </p>
      <Tabs<Part>
        label={t("detail.tabs")}
        value={part}
        onChange={setPart}
        tabs={[
          {
            value: "transcript",
            label: t("detail.transcript"),
            panel: <EntryPages lecture={lecture} />,
          },
          {
            value: "summary",
            label: t("detail.summary"),
            panel: <SummaryPanel lecture={lecture} />,
          },
        ]}
      />
    </article>
  );
}
