import { useState } from "react";
import type { Lecture } from "../../../shared/lecture.ts";
import { useT } from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { api } from "../../lib/queries.tsx";
import { Button } from "../../ui/button.tsx";
import { inputClass } from "../../ui/text-field.tsx";

/** The summary, to be edited. Changes stay here until they are saved. */
export function SummaryPanel({ lecture }: { lecture: Lecture }) {
  const t = useT();
  const utils = api.useUtils();
  const [text, setText] = useState(lecture.summary ?? "");
  const save = api.lectures.change.useMutation({
    onSuccess: (_result, { id, summary = null }) => {
      utils.lectures.get.setData({ id }, (known) => known && { ...known, summary });
      toast({ kind: "success", title: t("detail.summarySaved") });
    },
    onError: () => toast({ kind: "failure", title: t("detail.summaryFailed") }),
  });

  if (lecture.summary === null) return <p className="text-ink-2">{t("detail.noSummary")}</p>;
  return (
    <div className="grid max-w-190 justify-items-start gap-3">
      <textarea
        aria-label={t("detail.summary")}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} field-sizing-content min-h-60 leading-relaxed`}
      />
      <Button
        look="ink"
        disabled={save.isPending || text === lecture.summary}
        onClick={() => save.mutate({ id: lecture.id, summary: text })}
      >
        {t(save.isPending ? "detail.savingSummary" : "detail.saveSummary")}
      </Button>
    </div>
  );
}
