import { t } from "#client/i18n/library/index.ts";
import type { Deletion } from "#shared/trash.ts";
import { formatDeletedCounts } from "./deletion-summary.ts";
import type { LibraryDeps } from "./library-deps.ts";

/** Returns the action that restores a deletion from the trash; undefined if nothing was deleted. */
export function createUndoDeletion({ changes, server }: LibraryDeps) {
  return ({ id }: Deletion): (() => Promise<boolean>) | undefined =>
    id === null
      ? undefined
      : () =>
          changes.run({
            send: () => server.restore(id),
            onSuccess: (restored) => formatDeletedCounts(t, restored),
            successTitle: "trash.restored",
            failureText: "trash.restoreFailed",
          });
}
