import type { Deletion } from "../../../../shared/trash.ts";
import { t } from "../messages/index.ts";
import type { LibraryDeps } from "./deps.ts";
import { tookText } from "./took.ts";

/** The way back from a deletion, out of the trash; undefined where it took nothing. */
export function wayBack({ changes, server }: LibraryDeps) {
  return ({ id }: Deletion): (() => Promise<boolean>) | undefined =>
    id === null
      ? undefined
      : () =>
          changes.run({
            send: () => server.restore(id),
            settle: (back) => tookText(t, back),
            done: "trash.restored",
            failed: "trash.restoreFailed",
          });
}
