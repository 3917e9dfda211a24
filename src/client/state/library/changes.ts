import { type MessageKey, t } from "#client/i18n/library/index.ts";
import { toApiError } from "#client/lib/api-error.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import type { LibraryCache } from "./cache.ts";

interface Change<T> {
  /** Shown before the server has answered. */
  apply?: () => void;
  send: () => Promise<T>;
  /** After a refusal, when `show` is to be taken back. */
  revert?: () => void | Promise<void>;
  /** After the server's word; returns what the toast says beside its title. */
  onSuccess?: (answer: T) => string | undefined;
  /** The way back that the toast offers; undefined where there is none. */
  createUndo?: (answer: T) => (() => Promise<unknown>) | undefined;
  successTitle: MessageKey;
  failureText: MessageKey;
}

/**
 * Changes of the library, as a person makes them: seen at once, sent one after the other in their order,
 * taken back with a toast when the server refuses, and read again when the last one is through.
 */
export class LibraryChanges {
  readonly #cache: LibraryCache;
  #tail: Promise<unknown> = Promise.resolve();
  #running = 0;

  constructor(cache: LibraryCache) {
    this.#cache = cache;
  }

  /** Resolves to whether the server took it; never rejects. */
  async run<T>(change: Change<T>): Promise<boolean> {
    this.#running += 1;
    // Held and shown before anything else, also while an earlier change is still on its way.
    await this.#cache.cancelFetches();
    change.apply?.();
    const sent = this.#tail.then(change.send);
    this.#tail = sent.catch(() => {});
    try {
      const answer = await sent;
      const description = change.onSuccess?.(answer);
      const back = change.createUndo?.(answer);
      toast({
        kind: "success",
        title: t(change.successTitle),
        ...(description !== undefined && { description }),
        ...(back && { action: { label: t("delete.undo"), run: () => void back() } }),
      });
      return true;
    } catch (failure) {
      await change.revert?.();
      const full = toApiError(failure).code === "folders_full";
      toastFailure(t("common.error"), t(full ? "error.folders_full" : change.failureText));
      return false;
    } finally {
      this.#running -= 1;
      // With another change on its way, what the server has is not what is to be shown.
      if (this.#running === 0) void this.#cache.refresh();
    }
  }
}
