import { useState } from "react";
import { flushSync } from "react-dom";
import { toApiError } from "#client/lib/call-server.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { refetchLibrary } from "#client/state/library/cache.ts";
import { deleteOrphanedSound, formatDeletedCounts } from "#client/state/library/deletions.ts";
import { trpc } from "#client/state/trpc.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { type MessageKey, t } from "./messages/index.ts";

/** Errors whose reason is shown to the user. */
const failureTexts: Partial<Record<ErrorCode, MessageKey>> = {
  folders_full: "error.folders_full",
  not_found: "trash.gone",
};

/** Each action resolves to whether the item is gone from the trash, and reports the outcome by a toast. */
export function useTrashActions() {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  async function run<T>(
    id: string,
    send: () => Promise<T>,
    title: MessageKey,
    failureText: MessageKey,
    describe?: (answer: T) => string,
  ): Promise<boolean> {
    setBusy((now) => new Set(now).add(id));
    try {
      const answer = await send();
      void deleteOrphanedSound();
      toast({
        kind: "success",
        title: t(title),
        ...(describe && { description: describe(answer) }),
      });
      return true;
    } catch (failure) {
      const { code } = toApiError(failure);
      toastFailure(t("common.error"), t(failureTexts[code] ?? failureText));
      return code === "not_found";
    } finally {
      await refetchLibrary();
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
        "trash.restored",
        "trash.restoreFailed",
        (counts) => formatDeletedCounts(t, counts),
      ),
    remove: (id: string) =>
      run(id, () => trpc.trash.remove.mutate({ id }), "trash.removed", "trash.removeFailed"),
    empty: () => run("all", () => trpc.trash.empty.mutate(), "trash.emptied", "trash.emptyFailed"),
  };
}
