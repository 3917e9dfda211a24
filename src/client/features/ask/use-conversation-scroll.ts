import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { listen } from "#client/lib/listen.ts";
import type { Conversation, Entry } from "./conversation.ts";

interface Shown {
  conversation: Conversation;
  entries: readonly Entry[];
  /** The kept questions are there, or could not be read. */
  isLoaded: boolean;
  lastAskedId: string | null;
}

/**
 * Shows the conversation where it was left, at first its end. A question that is asked goes to the top, and its answer
 * grows below it without a movement. Earlier questions that come above move nothing that is read.
 */
export function useConversationScroll(
  scroller: RefObject<HTMLElement | null>,
  { conversation, entries, isLoaded, lastAskedId }: Shown,
): void {
  const firstId = entries[0]?.id;
  const before = useRef<{ firstId: string | undefined; height: number } | null>(null);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !isLoaded) return;
    // Without questions its beginning is read.
    const end = entries.length > 0 ? box.scrollHeight : 0;
    if (before.current === null) box.scrollTop = conversation.scrollTop ?? end;
    else if (before.current.firstId !== firstId && entries.length > 0) {
      const isEarlier = entries.some(({ id }) => id === before.current?.firstId);
      if (isEarlier) box.scrollTop += box.scrollHeight - before.current.height;
    }
    before.current = { firstId, height: box.scrollHeight };
  });

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const remember = () => {
      conversation.scrollTop = box.scrollTop;
    };
    return listen(box, "scroll", remember, { passive: true });
  }, [scroller, conversation]);

  useEffect(() => {
    const box = scroller.current;
    const entry =
      lastAskedId && box?.querySelector<HTMLElement>(`[data-question="${lastAskedId}"]`);
    if (!box || !entry) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    box.scrollTo({ top: entry.offsetTop, behavior: isStill ? "instant" : "smooth" });
  }, [scroller, lastAskedId]);
}
