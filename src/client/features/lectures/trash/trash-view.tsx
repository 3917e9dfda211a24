import { Suspense, useState } from "react";
import { trashKeptMs } from "../../../../shared/limits.ts";
import type { TrashItem } from "../../../../shared/trash.ts";
import { useT } from "../../../i18n/index.ts";
import { lazyPart } from "../../../lib/lazy.tsx";
import { Button } from "../../../ui/button.tsx";
import { CardSkeleton, Loading } from "../list/card-skeleton.tsx";
import { heirOf, inherit, pageHeading } from "../list/heir.ts";
import { goOn, More } from "../list/more.tsx";
import { Rows } from "../list/rows.tsx";
import { Message } from "../message.tsx";
import { nameOf } from "./name-of.ts";
import { TrashRow } from "./trash-row.tsx";
import { useTrash, useTrashActions } from "./use-trash.ts";

const RemoveDialog = lazyPart(() => import("./remove-dialog.tsx"));

const daysKept = trashKeptMs / 86_400_000;

/** What was deleted in the last 30 days, to be brought back or given up. */
export function TrashView() {
  const t = useT();
  const query = useTrash();
  const { busy, restore, remove, empty } = useTrashActions();
  const [doomed, setDoomed] = useState<TrashItem | "all" | null>(null);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];

  /** Does what makes rows go. `heir` takes the focus that goes with them. */
  async function going(heir: HTMLElement | null, done: Promise<boolean>): Promise<boolean> {
    const from = document.activeElement;
    const gone = await done;
    // A button that waits loses the focus: where the row stays, it has it again.
    inherit(gone || !(from instanceof HTMLElement) ? heir : from);
    return gone;
  }

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="font-semibold text-3xl tracking-tight max-sm:text-2xl">
            {t("trash.title")}
          </h1>
          <p className="mt-1.5 max-w-[60ch] text-ink-3">{t("trash.hint", { days: daysKept })}</p>
        </div>
        {items.length > 0 ? (
          <Button disabled={busy.size > 0} onClick={() => setDoomed("all")}>
            {t("trash.empty")}
          </Button>
        ) : null}
      </div>
      <div className="mt-6">
        {query.isPending ? <Loading /> : null}
        {query.isError && !query.data ? (
          <Message role="alert" title={t("trash.failed")} text={t("trash.failedHint")}>
            <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
          </Message>
        ) : null}
        {query.data && items.length === 0 ? (
          <Message title={t("trash.none")} text={t("trash.noneHint", { days: daysKept })} />
        ) : null}
        {items.length > 0 ? (
          <Rows
            name="trash"
            label={t("trash.title")}
            count={items.length}
            total={query.hasNextPage ? null : items.length}
            keyOf={(index) => items[index]?.id ?? ""}
            estimate={76}
            onNearEnd={() => goOn(query)}
            row={(index) => {
              const item = items[index];
              return item ? (
                <TrashRow
                  item={item}
                  busy={busy.has(item.id) || busy.has("all")}
                  first={index === 0}
                  onRestore={() => void going(heirOf(item.id), restore(item.id))}
                  onRemove={() => setDoomed(item)}
                />
              ) : null;
            }}
          />
        ) : null}
        <More query={query}>
          <CardSkeleton />
        </More>
      </div>
      <Suspense>
        {doomed !== null ? (
          <RemoveDialog
            name={doomed === "all" ? null : nameOf(t, doomed)}
            onClose={() => setDoomed(null)}
            onConfirm={() =>
              doomed === "all"
                ? going(pageHeading(), empty())
                : going(heirOf(doomed.id), remove(doomed.id))
            }
          />
        ) : null}
      </Suspense>
    </>
  );
}
