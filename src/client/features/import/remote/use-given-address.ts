import { useEffect, useEffectEvent } from "react";
import { parseRemoteAddress } from "#shared/remote-file.ts";

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;

/**
 * Takes an address that is pasted or dropped anywhere in the window but into a field, which takes it by itself.
 *
 * @param isActive false: nothing is taken
 */
export function useGivenAddress(onAddress: (address: string) => void, isActive: boolean): void {
  const take = useEffectEvent((event: Event, text: string | undefined) => {
    const url = parseRemoteAddress(text?.split("\n")[0] ?? "");
    if (url === null) return;
    event.preventDefault();
    onAddress(url.href);
  });
  useEffect(() => {
    if (!isActive) return;
    const events = new AbortController();
    const { signal } = events;
    const hasAddress = ({ target, dataTransfer }: DragEvent) =>
      !isField(target) &&
      dataTransfer !== null &&
      dataTransfer.types.includes("text/uri-list") &&
      !dataTransfer.types.includes("Files");
    const paste = (event: ClipboardEvent) => {
      if (!isField(event.target)) take(event, event.clipboardData?.getData("text/plain"));
    };
    const allow = (event: DragEvent) => {
      if (hasAddress(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (hasAddress(event)) take(event, event.dataTransfer?.getData("text/uri-list"));
    };
    window.addEventListener("paste", paste, { signal });
    window.addEventListener("dragenter", allow, { signal });
    window.addEventListener("dragover", allow, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => events.abort();
  }, [isActive]);
}
