import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import type { HomeSearch } from "#client/lib/home-search.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { setReturnFocus } from "#client/lib/return-focus.ts";
import { useValue } from "#client/lib/signal.ts";
import { MissingLecture } from "#client/reading/missing-lecture.tsx";
import { isNotFound, lectureQuery } from "#client/state/library/lecture-query.ts";
import { isOffline } from "#client/state/offline.ts";
import { Button } from "#client/ui/button.tsx";
import { LectureSkeleton } from "#client/ui/loading.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { BackLink } from "./back-link.tsx";
import { LectureContent } from "./lecture-content.tsx";
import { useT } from "./messages/index.ts";

interface LectureViewProps {
  id: string;
  search: HomeSearch;
}

export default function LectureView({ id, search }: LectureViewProps) {
  const t = useT();
  const [deleting, setDeleting] = useState(false);
  // A refetch during the deletion would fail.
  const query = useQuery({ ...lectureQuery(id), enabled: !deleting });
  const isGone = query.error ? isNotFound(query.error) : false;
  // A deleted lecture is not shown; one whose refetch failed is.
  const lecture = isGone ? undefined : query.data;
  const offline = useValue(isOffline) && !isGone;
  const failed = query.isError && !lecture && !offline;

  const title = t(isGone ? "lecture.notFound" : "lecture.loadError");
  const text = t(isGone ? "lecture.notFoundText" : "lecture.loadErrorText");
  useEffect(() => {
    if (failed) toastFailure(title, text);
  }, [failed, title, text]);
  useEffect(() => () => setReturnFocus(id), [id]);

  if (lecture) return <LectureContent lecture={lecture} search={search} onDeleting={setDeleting} />;
  return (
    <div className="mx-auto w-full max-w-288 px-7 py-2.5 max-book:px-4 max-book:py-1.5">
      <div className="mb-7">
        <BackLink search={search} />
      </div>
      {query.isPending ? <LectureSkeleton /> : null}
      {query.isError && offline ? (
        <Suspense>
          <MissingLecture onRetry={() => void query.refetch()} />
        </Suspense>
      ) : null}
      {failed ? (
        <Placeholder role="alert" title={title} text={text}>
          {isGone ? null : (
            <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
          )}
        </Placeholder>
      ) : null}
    </div>
  );
}
