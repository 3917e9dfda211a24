import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { lectureQuery } from "#client/state/library/lecture-query.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { api } from "#client/state/queries.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { useT } from "./messages/index.ts";

export interface SummaryDraft {
  /** As it stands in the field; null where there is no summary. */
  text: string | null;
  edited: boolean;
  saving: boolean;
  edit(text: string): void;
  /** Resolves to whether it was saved; what failed is told. */
  save(): Promise<boolean>;
}

/** The summary of `lecture` and what was changed in it: local until it is saved. */
export function useSummaryDraft(lecture: Lecture): SummaryDraft {
  const t = useT();
  const utils = api.useUtils();
  const queries = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const change = api.lectures.change.useMutation();
  const edited = typed !== null && typed !== lecture.summary;
  return {
    text: edited ? typed : lecture.summary,
    edited,
    saving: change.isPending,
    edit: (text) => setTyped(text === lecture.summary ? null : text),
    async save() {
      if (typed === null) return true;
      const { id } = lecture;
      try {
        await change.mutateAsync({ id, summary: typed });
      } catch {
        toastFailure(t("lecture.summaryFailed"));
        return false;
      }
      // An older answer that is on its way would bring the older summary back.
      const { queryKey } = lectureQuery(id);
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(
        queryKey,
        (known: Lecture | undefined) => known && { ...known, summary: typed },
      );
      void utils.lectures.search.invalidate();
      // What was typed meanwhile is not saved yet.
      setTyped((now) => (now === typed ? null : now));
      toast({ kind: "success", title: t("lecture.summarySaved") });
      return true;
    },
  };
}
