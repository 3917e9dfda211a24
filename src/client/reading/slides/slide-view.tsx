import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useT as useCommonT } from "#client/i18n/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { overlayProps, useOverlay } from "#client/reading/use-overlay.ts";
import { IconButton } from "#client/ui/button.tsx";
import { type Translate, useT } from "./messages/index.ts";
import { openSlide, type ShownSlide, shownSlides, slideControl } from "./slides-state.ts";

interface SlideViewProps {
  lecture: LectureDocument;
  /** In a column beside the text; otherwise over it. */
  isBeside: boolean;
}

const SlideTools = lazyPart(() => import("./slide-tools.tsx"));

/** A slide, large, with its words; the one before it and the next. Its owner can move and delete it. */
export default function SlideView({ lecture, isBeside }: SlideViewProps) {
  const t = useT();
  const common = useCommonT();
  const slides = useValue(shownSlides);
  const openId = useValue(openSlide);
  const control = useValue(slideControl);
  const box = useRef<HTMLElement>(null);
  const opener = useRef<Element>(document.activeElement);
  const at = slides.findIndex(({ id }) => id === openId);
  const slide = slides[at];
  const isOpen = slide !== undefined;
  useOverlay(box, isOpen && !isBeside, close);
  useEffect(() => {
    if (isBeside && isOpen) box.current?.focus({ preventScroll: true });
  }, [isBeside, isOpen]);
  if (!slide) return null;

  function close() {
    openSlide.set(null);
    const { current } = opener;
    if (current instanceof HTMLElement) setTimeout(() => current.focus({ preventScroll: true }));
  }
  const title = t("slides.number", { number: at + 1, count: slides.length });
  const show = (step: number) => openSlide.set(slides[at + step]?.id ?? slide.id);
  const steps = (
    <>
      <IconButton
        icon={ChevronLeft}
        label={t("slides.previous")}
        disabled={at === 0}
        onClick={() => show(-1)}
      />
      <IconButton
        icon={ChevronRight}
        label={t("slides.next")}
        disabled={at === slides.length - 1}
        onClick={() => show(1)}
      />
    </>
  );
  const content = (
    <>
      <SlidePicture key={slide.full} slide={slide} />
      <p className="text-ink-3 text-sm wrap-anywhere">{describeSlide(slide, t)}</p>
      <div className="-mx-2 -my-2 flex items-center gap-1 empty:hidden">
        {control ? (
          <SlideTools
            control={control}
            lecture={lecture}
            slide={slide}
            next={slides[at + 1] ?? slides[at - 1]}
          />
        ) : null}
      </div>
      <h3 className="sr-only">{t("slides.words")}</h3>
      {/* They may be in any language. */}
      <p
        lang=""
        dir="auto"
        className={`whitespace-pre-line text-sm wrap-anywhere ${slide.text === "" ? "text-ink-3" : "text-ink-2"}`}
      >
        {slide.text === "" ? t("slides.noWords") : slide.text}
      </p>
    </>
  );
  return (
    <section
      ref={box}
      data-part
      tabIndex={-1}
      aria-label={title}
      {...overlayProps(!isBeside, title)}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.nativeEvent.isComposing) return;
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === "Escape") close();
        else if (step) show(step);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className={`grid grid-rows-[auto_minmax(0,1fr)] bg-paper outline-none ${isBeside ? "absolute top-0 right-0 bottom-(--controls-height,0px) z-3 row-start-2 w-90 border-rule border-l" : "fixed inset-0 z-5"}`}
    >
      <div className="flex h-11 items-center gap-1 border-rule border-b ps-5 pe-2">
        <h2 className="tabular mr-auto truncate font-[550]">{title}</h2>
        {steps}
        <IconButton
          icon={X}
          label={common("common.close")}
          {...(isBeside ? {} : { "data-overlay-toggle": true })}
          onClick={close}
        />
      </div>
      <div className="flex flex-col gap-3 overflow-y-auto px-5 py-4">{content}</div>
    </section>
  );
}

/** Where a slide comes from. */
export function describeSlide(
  { fileName, page, atMs }: Pick<ShownSlide, "fileName" | "page" | "atMs">,
  t: Translate,
): string {
  if (page !== null)
    return fileName === null
      ? t("slides.pageOnly", { page })
      : t("slides.page", { file: fileName, page });
  if (atMs !== null) return t("slides.shownAt", { time: formatClock(atMs / 1_000) });
  return fileName ?? t("slides.photograph");
}

function SlidePicture({ slide }: { slide: ShownSlide }) {
  const t = useT();
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed)
    return <p className="rounded-s bg-paper-3 p-4 text-ink-2 text-sm">{t("slides.noPicture")}</p>;
  return (
    <a
      href={slide.full}
      target="_blank"
      rel="noopener"
      title={t("slides.enlarge")}
      className="block shrink-0 overflow-hidden rounded-s border border-rule"
    >
      <img
        src={slide.full}
        alt={slide.text.slice(0, 300) || t("slides.open")}
        width={slide.width}
        height={slide.height}
        onError={() => setFailed(true)}
        className="h-auto max-h-[65dvh] w-full bg-paper-3 object-contain"
      />
    </a>
  );
}
