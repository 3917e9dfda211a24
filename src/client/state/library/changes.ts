import { type MessageKey, t } from "#client/i18n/library/index.ts";
import { toApiError } from "#client/lib/api-error.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import type { LibraryCache } from "./cache.ts";

interface Change<T> {
  /** The optimistic update, made before the server has answered. */
  apply?: () => void;
  send: () => Promise<T>;
  /** Called when the request failed. */
  revert?: () => void | Promise<void>;
  /** Called when the request succeeded; returns the description of the toast. */
  onSuccess?: (answer: T) => string | undefined;
  /** Returns the Undo action of the toast; undefined for a change that cannot be undone. */
  createUndo?: (answer: T) => (() => Promise<unknown>) | undefined;
  successTitle: MessageKey;
  failureText: MessageKey;
}

/**
 * Sends changes of the library. Each is applied to the cache at once; requests go out one after the other, in order.
 * A failed change is reverted and reported by a toast. When no change is left, the queries are refetched.
 */
export class LibraryChanges {
  readonly #cache: LibraryCache;
  #tail: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(cache: LibraryCache) {
    this.#cache = cache;
  }

  /** Resolves to whether the server accepted the change; never rejects. */
  async run<T>(change: Change<T>): Promise<boolean> {
    this.#running += 1;
    // Applied at once, also while an earlier change is still being sent.
    await this.#cache.cancelFetches();
    change.apply?.();
    const sent = this.#tail.then(change.send);
    this.#tail = sent.catch(() => {});
    try {
      const answer = await sent;
      const description = change.onSuccess?.(answer);
      const undo = change.createUndo?.(answer);
      toast({
        kind: "success",
        title: t(change.successTitle),
        ...(description !== undefined && { description }),
        ...(undo && { action: { label: t("delete.undo"), run: () => void undo() } }),
      });
      return true;
    } catch (failure) {
      await change.revert?.();
      const isFull = toApiError(failure).code === "folders_full";
      toastFailure(t("common.error"), t(isFull ? "error.folders_full" : change.failureText));
      return false;
    } finally {
      this.#running -= 1;
      // While another change is pending, the server's state is older than the page's.
      if (this.#running === 0) void this.#cache.refresh();
    }
  }
}
