import { X } from "lucide-react";
import { formatCsv } from "#client/lib/csv.ts";
import { copyText } from "#client/lib/notifications.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { folderTermsMax, termTranslationsMax } from "#shared/limits.ts";
import { columnMaxLengths } from "./columns.ts";
import { useT } from "./messages/index.ts";
import type { LeftRows as Rows } from "./use-table-import.ts";

const limits = {
  ...columnMaxLengths,
  translations: termTranslationsMax,
  full: folderTermsMax,
  noTerm: 0,
  language: 0,
  failed: 0,
};

/** Which rows of a table did not enter the glossary and why. They can be copied, to be corrected. */
export function LeftRows({ left, onClose }: { left: Rows; onClose: () => void }) {
  const t = useT();
  const byReason = Map.groupBy(left.rows, ({ reason }) => reason);
  const copy = () =>
    copyText(formatCsv(left.rows.map(({ cells }) => cells)), t("glossary.copied"), [
      t("glossary.notCopied"),
    ]);
  return (
    <div className="mt-5 flex items-start gap-3 rounded-m bg-warn-wash py-3 pr-2 pl-4">
      <div role="alert" className="min-w-0 grow">
        <p className="font-[550]">{t("glossary.refused", { count: left.rows.length })}</p>
        <ul className="text-ink-2 text-sm">
          {[...byReason].map(([reason, rows]) => (
            <li key={reason}>
              {t(`glossary.refused.${reason}`, {
                count: rows.length,
                max: limits[reason],
                reason: left.failure,
              })}
            </li>
          ))}
        </ul>
      </div>
      <Button size="small" onClick={() => void copy()}>
        {t("glossary.copyRows")}
      </Button>
      <IconButton icon={X} label={t("common.close")} onClick={onClose} className="size-8" />
    </div>
  );
}
