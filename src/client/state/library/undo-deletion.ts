import { t } from "#client/i18n/library/index.ts";
import type { Deletion } from "#shared/trash.ts";
import { formatDeletedCounts } from "./deletion-summary.ts";
import type { LibraryDeps } from "./library-deps.ts";

/** The way back from a deletion, out of the trash; undefined where it took nothing. */
export function createUndoDeletion({ changes, server }: LibraryDeps) {
  return ({ id }: Deletion): (() => Promise<boolean>) | undefined =>
    id === null
      ? undefined
      : () =>
          changes.run({
            send: () => server.restore(id),
            onSuccess: (back) => formatDeletedCounts(t, back),
            successTitle: "trash.restored",
            failureText: "trash.restoreFailed",
          });
}
