import { useT } from "./messages/index.ts";
import { openSlide, type ShownSlide } from "./slides-state.ts";

interface RowSlidesProps {
  slides: readonly ShownSlide[];
  /** They stand within the row's time, below it. */
  hasTime: boolean;
  isNewParagraph: boolean;
}

/**
 * The first slide of a row, as a thumbnail beside its text. Below a time it has its own height, or the next row's could lie
 * over it; elsewhere it fits beside one line, and no sentence moves. Where the texts stand below each other it has a line of
 * its own.
 */
export default function RowSlides({ slides, hasTime, isNewParagraph }: RowSlidesProps) {
  const t = useT();
  const [first] = slides;
  if (!first) return null;
  const label =
    slides.length > 1 ? t("slides.openSeveral", { count: slides.length }) : t("slides.open");
  return (
    <div
      className={
        hasTime
          ? "columns:-mt-1"
          : `fades columns:absolute columns:left-2 columns:mt-0.5 ${isNewParagraph ? "columns:top-5" : "columns:top-1"}`
      }
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={label}
        title={label}
        onClick={() => openSlide.set(first.id)}
        className="touch-reach relative block h-10 w-18 overflow-hidden rounded-s border border-rule-strong bg-paper-3 font-ui transition-colors duration-150 ease-quiet hover:border-ink columns:h-7 columns:w-12"
      >
        <img
          src={first.thumbnail}
          alt=""
          loading="lazy"
          decoding="async"
          width={48}
          height={28}
          className="size-full object-cover"
        />
        {slides.length > 1 ? (
          <span className="tabular absolute right-0 bottom-0 rounded-tl-s bg-paper px-1 text-ink text-xs leading-4">
            {slides.length}
          </span>
        ) : null}
      </button>
    </div>
  );
}
