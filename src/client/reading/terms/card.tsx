import { X } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { useT } from "#client/i18n/index.ts";
import { listen } from "#client/lib/listen.ts";
import { findRow } from "#client/reading/use-rows.ts";
import { IconButton } from "#client/ui/button.tsx";
import { usePlacement } from "./place-box.ts";

interface CardProps {
  title: string;
  page: RefObject<HTMLElement | null>;
  /** The words that it stands at. */
  range: Range;
  /** A press outside closes it. */
  isLight?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Lists and menus that a part of the card has opened are outside of it. */
const isPopup = (target: Element) => target.closest("[role=listbox], [role=menu]") !== null;

/** A card at words of the page, over it; on a phone at the lower edge. The transcript goes on beside it. */
export function Card({ title, page, range, isLight = false, onClose, children }: CardProps) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => findRow(document.activeElement) ?? document.activeElement);
  usePlacement({ box, page, range, prefersBelow: true });

  function close() {
    onClose();
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  }
  const leave = useEffectEvent((event: PointerEvent) => {
    const { target } = event;
    if (!isLight || !(target instanceof Element)) return;
    if (!box.current?.contains(target) && !isPopup(target)) onClose();
  });
  useEffect(() => listen(document, "pointerdown", leave, { capture: true }), []);
  useEffect(() => {
    // A field of the card may have taken the focus already.
    const element = box.current;
    if (element && !element.contains(document.activeElement))
      element.focus({ preventScroll: true });
  }, []);

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || event.nativeEvent.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }

  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={handleKeyDown}
      className="fixed inset-x-0 bottom-0 z-10 grid max-h-[85dvh] gap-3 overflow-y-auto rounded-t-l border-rule border-t bg-sheet p-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-sheet outline-none book:inset-x-auto book:top-(--top) book:bottom-auto book:left-(--left) book:w-84 book:rounded-l book:border book:pb-4"
    >
      <div className="flex min-h-8 items-start gap-2">
        <p aria-hidden="true" className="min-w-0 flex-1 pt-1 font-semibold text-sm">
          {title}
        </p>
        <IconButton
          icon={X}
          label={t("common.close")}
          onClick={close}
          className="-mt-1 -mr-1.5 size-8"
        />
      </div>
      {children}
    </div>,
    document.body,
  );
}
