import { useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { api } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { findNextFocus, findPageHeading, moveFocus } from "#client/ui/lists/next-focus.ts";
import { PagedList } from "#client/ui/lists/paged-list.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { trashRetentionDays } from "#shared/limits.ts";
import type { TrashItem } from "#shared/trash.ts";
import { trashMessages, useT } from "./messages/index.ts";
import { getTrashItemName, TrashRow } from "./trash-row.tsx";
import { useTrashActions } from "./use-trash-actions.ts";

const ConfirmDialog = lazyPart(() => import("#client/ui/confirm-dialog.tsx"), trashMessages);

export default function TrashView() {
  const t = useT();
  const language = useLanguage();
  const query = api.trash.list.useInfiniteQuery(
    {},
    {
      getNextPageParam: (page) => page.nextCursor,
      // Includes what was deleted a moment ago, here or in another tab.
      staleTime: 0,
    },
  );
  const { busy, restore, remove, empty } = useTrashActions();
  const [toDelete, setToDelete] = useState<TrashItem | "all" | null>(null);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];

  const close = () => setToDelete(null);
  const dialogProps = { open: true, busyLabel: t("delete.busy"), onClose: close };

  /** Waits for the removal of rows, then focuses `nextFocus`. Resolves to whether they are gone. */
  async function removeRows(nextFocus: HTMLElement | null, removal: Promise<boolean>) {
    const from = document.activeElement;
    const gone = await removal;
    // A disabled button loses the focus: gets it back if the row stays.
    moveFocus(gone || !(from instanceof HTMLElement) ? nextFocus : from);
    return gone;
  }

  return (
    <>
      <PageHead
        title={t("trash.title")}
        action={
          items.length > 0 ? (
            <Button
              disabled={busy.size > 0}
              onClick={() => setToDelete("all")}
              className="text-seal-text"
            >
              {t("trash.empty")}
            </Button>
          ) : null
        }
      >
        <p className="max-w-[60ch] text-pretty">{t("trash.hint", { days: trashRetentionDays })}</p>
      </PageHead>
      <div className="mt-6">
        <PagedList
          name="trash"
          label={t("trash.title")}
          query={query}
          items={items}
          total={query.hasNextPage ? null : items.length}
          estimatedHeight={76}
          failed={{ title: t("trash.failed"), text: t("trash.failedHint") }}
          empty={
            <Placeholder
              title={t("trash.none")}
              text={t("trash.noneHint", { days: trashRetentionDays })}
            />
          }
          renderRow={(item, index) => (
            <TrashRow
              item={item}
              busy={busy.has(item.id) || busy.has("all")}
              first={index === 0}
              onRestore={() => void removeRows(findNextFocus(item.id), restore(item.id))}
              onRemove={() => setToDelete(item)}
            />
          )}
        />
      </div>
      {toDelete === "all" ? (
        <ConfirmDialog
          {...dialogProps}
          title={t("trash.emptyTitle")}
          text={t("trash.emptyText")}
          confirmLabel={t("trash.empty")}
          onConfirm={() => removeRows(findPageHeading(), empty())}
        />
      ) : toDelete ? (
        <ConfirmDialog
          {...dialogProps}
          title={t("trash.removeTitle")}
          text={t("trash.removeText", { name: getTrashItemName(t, toDelete, language) })}
          confirmLabel={t("trash.remove")}
          onConfirm={() => removeRows(findNextFocus(toDelete.id), remove(toDelete.id))}
        />
      ) : null}
    </>
  );
}
