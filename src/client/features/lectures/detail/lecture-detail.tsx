import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { toastFailure } from "../../../lib/notify.ts";
import { Button } from "../../../ui/button.tsx";
import { isGone, lectureQuery } from "../data/lecture-query.ts";
import type { HomeSearch } from "../home/address.ts";
import { returnFrom } from "../list/came-from.ts";
import { Message } from "../message.tsx";
import { BackLink } from "./back-link.tsx";
import { DetailSkeleton } from "./detail-skeleton.tsx";
import { useT } from "./messages/index.ts";
import { OpenedLecture } from "./opened-lecture.tsx";

interface LectureDetailProps {
  id: string;
  search: HomeSearch;
}

export default function LectureDetail({ id, search }: LectureDetailProps) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  // What is being deleted is not asked for again.
  const query = useQuery({ ...lectureQuery(id), enabled: !deleting });
  const gone = query.error ? isGone(query.error) : false;
  // What is not there any more is not shown; a lecture that merely cannot be asked for again is.
  const shown = gone ? undefined : query.data;
  const failed = query.isError && !shown;

  useEffect(() => {
    if (failed) {
      toastFailure(
        t(gone ? "detail.notFound" : "detail.loadError"),
        t(gone ? "detail.notFoundText" : "detail.loadErrorText"),
      );
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
