import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { lectureQuery } from "#client/state/library/lecture-query.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { api } from "#client/state/queries.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { useT } from "./messages/index.ts";

export type SummaryDraft = ReturnType<typeof useSummaryDraft>;

/** The summary of `lecture` with unsaved edits. */
export function useSummaryDraft(lecture: Lecture) {
  const t = useT();
  const utils = api.useUtils();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<string | null>(null);
  const change = api.lectures.change.useMutation();
  const edited = draft !== null && draft !== lecture.summary;
  return {
    /** The text in the field; null without a summary. */
    text: edited ? draft : lecture.summary,
    edited,
    saving: change.isPending,
    edit: (text: string) => setDraft(text === lecture.summary ? null : text),
    /** Resolves to whether it was saved; a toast reports a failure. */
    async save(): Promise<boolean> {
      if (draft === null) return true;
      const { id } = lecture;
      try {
        await change.mutateAsync({ id, summary: draft });
      } catch {
        toastFailure(t("lecture.summaryFailed"));
        return false;
      }
      // A response in flight would bring the old summary back.
      const { queryKey } = lectureQuery(id);
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (cached) => cached && { ...cached, summary: draft });
      void utils.lectures.search.invalidate();
      // Keeps text that was typed during the request.
      setDraft((now) => (now === draft ? null : now));
      toast({ kind: "success", title: t("lecture.summarySaved") });
      return true;
    },
  };
}
