import { useEffect, useState } from "react";
import { useT } from "../../../i18n/index.ts";
import { toApiError } from "../../../lib/failure.ts";
import { toast } from "../../../lib/notify.ts";
import { api } from "../../../lib/queries.tsx";
import { Button } from "../../../ui/button.tsx";
import type { HomeSearch } from "../home/address.ts";
import { returnFrom } from "../list/came-from.ts";
import { Message } from "../message.tsx";
import { BackLink } from "./back-link.tsx";
import { DetailSkeleton } from "./detail-skeleton.tsx";
import { OpenedLecture } from "./opened-lecture.tsx";

interface LectureDetailProps {
  id: string;
  /** The address: what to land on, and the list to come back to. */
  search: HomeSearch;
}

/** One lecture, opened: its name, its two texts, its summary. */
export default function LectureDetail({ id, search }: LectureDetailProps) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  // What is being deleted is not asked for again.
  const query = api.lectures.get.useQuery({ id }, { enabled: !deleting });
  const gone = query.error ? isGone(query.error) : false;
  // What is not there any more is not shown; a lecture that merely cannot be asked for again is.
  const shown = gone ? undefined : query.data;
  const failed = query.isError && !shown;

  useEffect(() => {
    if (failed) {
      toast({
        kind: "failure",
        title: t(gone ? "detail.notFound" : "detail.loadError"),
        description: t(gone ? "detail.notFoundText" : "detail.loadErrorText"),
      });
    }
  }, [failed, gone, t]);
  useEffect(() => () => returnFrom(id), [id]);

  if (shown) return <OpenedLecture lecture={shown} search={search} onDeleting={setDeleting} />;
  return (
    <>
      <div className="mb-7">
        <BackLink search={search} />
      </div>
      {query.isPending ? <DetailSkeleton /> : null}
      {failed ? (
        <Message
          role="alert"
          title={t(gone ? "detail.notFound" : "detail.loadError")}
          text={t(gone ? "detail.notFoundText" : "detail.loadErrorText")}
        >
          {gone ? null : <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>}
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
