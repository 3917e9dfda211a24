import { FileText, Folder, Library, RotateCcw, Trash2 } from "lucide-react";
import { type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatDay } from "#client/lib/dates.ts";
import { formatDeletedCounts } from "#client/state/library/deletions.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import type { TrashItem } from "#shared/trash.ts";
import { type Translate, useT } from "./messages/index.ts";

const icons = { lecture: FileText, folder: Folder, all_lectures: Library };

interface TrashRowProps {
  item: TrashItem;
  busy: boolean;
  first: boolean;
  onRestore: () => void;
  onRemove: () => void;
}

/** One deletion: what was deleted, and for how long it can be restored. */
export function TrashRow({ item, busy, first, onRestore, onRemove }: TrashRowProps) {
  const t = useT();
  const language = useLanguage();
  const name = getTrashItemName(t, item, language);
  const Icon = icons[item.kind];
  return (
    <div
      className={`grid grid-cols-[auto_1fr_auto] items-center gap-x-3.5 gap-y-2 border-rule py-3.5 max-sm:grid-cols-[auto_1fr] ${first ? "" : "border-t"}`}
    >
      <Icon className="size-4.5 text-ink-3 max-sm:self-start max-sm:mt-0.5" />
      <div className="min-w-0">
        <h2 dir="auto" className="truncate text-left font-semibold text-md" title={name}>
          {name}
        </h2>
        <p className="tabular flex flex-wrap gap-x-3.5 text-ink-3 text-sm">
          {item.kind === "lecture" ? null : (
            <span className="text-ink-2">{formatDeletedCounts(t, item)}</span>
          )}
          <span>{t("trash.deletedOn", { date: formatDay(item.deletedAt, language) })}</span>
          <span>
            {t("trash.daysLeft", { days: getDaysLeft(item.expiresAt, browserClock.now()) })}
          </span>
        </p>
      </div>
      <div className="-mr-2 flex items-center gap-1.5 max-sm:col-start-2">
        <Button
          size="small"
          disabled={busy}
          onClick={onRestore}
          aria-label={t("trash.restoreNamed", { name })}
        >
          <RotateCcw className="size-3.5" />
          {t("trash.restore")}
        </Button>
        <IconButton
          icon={Trash2}
          label={t("trash.removeNamed", { name })}
          disabled={busy}
          onClick={onRemove}
          className="size-8"
        />
      </div>
    </div>
  );
}

const dayMs = 86_400_000;

/** Days, rounded up, until `expiresAt` (ISO 8601); 0 when it is past. `now` in ms since 1970. */
export const getDaysLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / dayMs));

export function getTrashItemName(
  t: Translate,
  { kind, name, datedAt }: Pick<TrashItem, "kind" | "name" | "datedAt">,
  language: InterfaceLanguage,
): string {
  if (kind === "all_lectures") return t("trash.allLectures");
  if (datedAt === null) return name || t("home.untitled");
  return getPageTitle({ title: name, titleSource: "date", createdAt: datedAt }, language);
}
