import { useState } from "react";
import { flushSync } from "react-dom";
import { toApiError } from "#client/lib/api-error.ts";
import { formatDeletedCounts } from "#client/state/library/deletion-summary.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { type MessageKey, t } from "./messages/index.ts";

/** What was deleted and can still be brought back, newest first, page by page. */
export function useTrash() {
  return api.trash.list.useInfiniteQuery(
    {},
    {
      getNextPageParam: (page) => page.nextCursor,
      // What was deleted a moment ago, here or elsewhere, is in it.
      staleTime: 0,
    },
  );
}

/** Changes of the trash. Each resolves to whether what it was about is gone from there; how it went is told. */
export function useTrashActions() {
  const utils = api.useUtils();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  async function run<T>(
    what: string,
    send: () => Promise<T>,
    done: (answer: T) => { title: string; description?: string },
    failed: MessageKey,
  ): Promise<boolean> {
    setBusy((now) => new Set(now).add(what));
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
      // Whoever waits for this may give a button the focus: by then it can take it.
      flushSync(() => setBusy((now) => new Set([...now].filter((one) => one !== what))));
    }
  }

  return {
    busy,
    restore: (id: string) =>
      run(
        id,
        () => trpc.trash.restore.mutate({ id }),
        (back) => ({ title: t("trash.restored"), description: formatDeletedCounts(t, back) }),
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
