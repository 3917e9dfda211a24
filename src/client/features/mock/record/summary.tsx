import { Square } from "lucide-react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage } from "#client/features/mock/sample.ts";
import { summary } from "./sample.ts";

const headClass = "mt-8 mb-2.5 font-[550] text-ink-3 text-sm first:mt-0";

export function Summary() {
  const t = useT();
  return (
    <div className="max-w-[40em] text-md leading-[1.75]">
      <h2 className={headClass}>{t("mock.summary.overview")}</h2>
      <p lang={sampleLanguage}>{summary.overview}</p>
      <h2 className={headClass}>{t("mock.summary.points")}</h2>
      <ul lang={sampleLanguage} className="grid list-disc gap-1.5 pl-5 marker:text-ink-3">
        {summary.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <h2 className={headClass}>{t("mock.summary.tasks")}</h2>
      <ul lang={sampleLanguage} className="grid gap-1.5">
        {summary.tasks.map((task) => (
          <li key={task} className="flex items-start gap-2.5">
            <Square className="mt-1.5 size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
            {task}
          </li>
        ))}
      </ul>
    </div>
  );
}
