import { type MessageKey, t } from "#client/i18n/library/index.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { cancelFetches, refetchLibrary } from "./cache.ts";

export interface ChangeMessages {
  successTitle: MessageKey;
  failureText: MessageKey;
}

interface Change extends ChangeMessages {
  /** The optimistic update, made before the server has answered. */
  apply?: () => void;
  /** May resolve to what the toast says and offers beside its title. */
  send: () => Promise<{ description: string; undo?: (() => void) | undefined } | undefined>;
  /** Called when the request failed. */
  revert?: () => void | Promise<void>;
}

let lastRequest: Promise<unknown> = Promise.resolve();
let runningCount = 0;
/** For each field, the values that the server has confirmed since the first of the running changes, by id. */
const confirmedValues: Map<string, unknown>[] = [];

/**
 * Sends a change of the library. It is applied to the cache at once; requests go out one after the other, in
 * order. A failed change is reverted and reported by a toast. When no change is left, the queries are refetched.
 * Resolves to whether the server accepted the change; never rejects.
 */
export async function runChange(change: Change): Promise<boolean> {
  runningCount += 1;
  // Applied at once, also while an earlier change is still being sent.
  await cancelFetches();
  change.apply?.();
  const request = lastRequest.then(change.send);
  lastRequest = request.catch(() => {});
  try {
    const { undo, ...description } = (await request) ?? {};
    toast({
      kind: "success",
      title: t(change.successTitle),
      ...description,
      ...(undo && { action: { label: t("delete.undo"), run: undo } }),
    });
    return true;
  } catch (failure) {
    await change.revert?.();
    const isFull = toApiError(failure).code === "folders_full";
    toastFailure(t("common.error"), t(isFull ? "error.folders_full" : change.failureText));
    return false;
  } finally {
    runningCount -= 1;
    // While another change is pending, the server's state is older than the page's.
    if (runningCount === 0) {
      for (const confirmed of confirmedValues) confirmed.clear();
      void refetchLibrary();
    }
  }
}

interface Field<T> extends ChangeMessages {
  /** The cached value; undefined if unknown. */
  read: (id: string) => T | undefined;
  write: (id: string, value: T) => void;
  send: (id: string, value: T) => Promise<void>;
  /** By default whether they are identical. */
  isSame?: (one: T, other: T) => boolean;
}

/**
 * Returns a function that changes one field of the lecture or folder `id`, unless it has that value already.
 * While two changes of one field are in flight, a failure reverts to the value that the server last confirmed,
 * not to the one that was shown before the change.
 */
export function createFieldChange<T>({
  read,
  write,
  send,
  isSame = Object.is,
  ...messages
}: Field<T>) {
  const confirmed = new Map<string, T | undefined>();
  confirmedValues.push(confirmed);
  const isShown = (id: string, value: T) => {
    const shown = read(id);
    return shown !== undefined && isSame(shown, value);
  };

  return async (id: string, value: T): Promise<boolean> => {
    if (isShown(id, value)) return false;
    if (!confirmed.has(id)) confirmed.set(id, read(id));
    return runChange({
      ...messages,
      apply: () => write(id, value),
      async send() {
        await send(id, value);
        confirmed.set(id, value);
        return undefined;
      },
      revert() {
        const last = confirmed.get(id);
        // A later change may be shown by now.
        if (last !== undefined && isShown(id, value)) write(id, last);
      },
    });
  };
}
