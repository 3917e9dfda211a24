import { useState } from "react";
import { flushSync } from "react-dom";
import { toApiError } from "#client/lib/api-error.ts";
import { formatDeletedCounts } from "#client/state/library/deletions.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { type MessageKey, t } from "./messages/index.ts";

/** Deletions that can still be restored, newest first. */
export function useTrash() {
  return api.trash.list.useInfiniteQuery(
    {},
    {
      getNextPageParam: (page) => page.nextCursor,
      // Includes what was deleted a moment ago, here or in another tab.
      staleTime: 0,
    },
  );
}

/** Each action resolves to whether the item is gone from the trash, and reports the outcome by a toast. */
export function useTrashActions() {
  const utils = api.useUtils();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  async function run<T>(
    id: string,
    send: () => Promise<T>,
    done: (answer: T) => { title: string; description?: string },
    failed: MessageKey,
  ): Promise<boolean> {
    setBusy((now) => new Set(now).add(id));
    try {
      const answer = await send();
      toast({ kind: "success", ...done(answer) });
      return true;
    } catch (failure) {
      const { code } = toApiError(failure);
      const description = t(
        code === "folders_full"
          ? "error.folders_full"
          : code === "not_found"
            ? "trash.gone"
            : failed,
      );
      toastFailure(t("common.error"), description);
      return code === "not_found";
    } finally {
      await Promise.all([
        utils.trash.invalidate(),
        utils.lectures.invalidate(),
        utils.folders.invalidate(),
      ]);
      // Rendered now, so that the caller can focus a button that was disabled.
      flushSync(() => setBusy((now) => new Set([...now].filter((one) => one !== id))));
    }
  }

  return {
    busy,
    restore: (id: string) =>
      run(
        id,
        () => trpc.trash.restore.mutate({ id }),
        (restored) => ({
          title: t("trash.restored"),
          description: formatDeletedCounts(t, restored),
        }),
        "trash.restoreFailed",
      ),
    remove: (id: string) =>
      run(
        id,
        () => trpc.trash.remove.mutate({ id }),
        () => ({ title: t("trash.removed") }),
        "trash.removeFailed",
      ),
    empty: () =>
      run(
        "all",
        () => trpc.trash.empty.mutate(),
        () => ({ title: t("trash.emptied") }),
        "trash.emptyFailed",
      ),
  };
}
