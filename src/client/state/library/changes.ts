import { type MessageKey, t } from "#client/i18n/library/index.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { cancelFetches, refetchLibrary } from "./cache.ts";

export interface ChangeMessages {
  successTitle: MessageKey;
  failureText: MessageKey;
}

interface Change<T> extends ChangeMessages {
  /** The optimistic update, made before the server has answered. */
  apply?: () => void;
  send: () => Promise<T>;
  /** Called when the request failed. */
  revert?: () => void | Promise<void>;
  /** Called when the request succeeded; returns what the toast says and offers. */
  onSuccess?: (answer: T) => { description?: string; undo?: (() => void) | undefined };
}

let lastRequest: Promise<unknown> = Promise.resolve();
let runningCount = 0;

/**
 * Sends a change of the library. It is applied to the cache at once; requests go out one after the other, in
 * order. A failed change is reverted and reported by a toast. When no change is left, the queries are refetched.
 * Resolves to whether the server accepted the change; never rejects.
 */
export async function runChange<T>(change: Change<T>): Promise<boolean> {
  runningCount += 1;
  // Applied at once, also while an earlier change is still being sent.
  await cancelFetches();
  change.apply?.();
  const request = lastRequest.then(change.send);
  lastRequest = request.catch(() => {});
  try {
    const answer = await request;
    const { undo, ...description } = change.onSuccess?.(answer) ?? {};
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
    if (runningCount === 0) void refetchLibrary();
  }
}

interface Field<T> extends ChangeMessages {
  /** The cached value; undefined if unknown. */
  read: (id: string) => T | undefined;
  write: (id: string, value: T) => void;
  send: (id: string, value: T) => Promise<void>;
  onSuccess?: (id: string, value: T) => void;
}

/**
 * Returns a function that changes one field of the lecture or folder `id`, unless it has that value already.
 * While two changes of one field are in flight, a failure reverts to the value that the server last confirmed,
 * not to the one that was shown before the change.
 */
export function createFieldChange<T>({ read, write, send, onSuccess, ...messages }: Field<T>) {
  const entries = new Map<string, { confirmed: T | undefined; pending: number }>();

  return async (id: string, value: T): Promise<boolean> => {
    const current = read(id);
    if (current === value) return false;
    const entry = entries.get(id) ?? { confirmed: current, pending: 0 };
    entry.pending += 1;
    entries.set(id, entry);
    const finish = () => {
      entry.pending -= 1;
      if (entry.pending === 0) entries.delete(id);
    };
    return runChange({
      ...messages,
      apply: () => write(id, value),
      send: () => send(id, value),
      onSuccess() {
        entry.confirmed = value;
        finish();
        onSuccess?.(id, value);
        return {};
      },
      revert() {
        finish();
        // A later change may be shown by now.
        if (entry.confirmed !== undefined && read(id) === value) write(id, entry.confirmed);
      },
    });
  };
}
