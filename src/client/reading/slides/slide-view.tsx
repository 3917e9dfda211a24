import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  type LucideIcon,
  MousePointerClick,
  Trash2,
  X,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useT as useCommonT } from "#client/i18n/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Dialog } from "#client/ui/dialog.tsx";
import { type Translate, useT } from "./messages/index.ts";
import {
  findSlideRow,
  openSlide,
  type ShownSlide,
  shownSlides,
  slideControl,
  slideToPlace,
} from "./slides-state.ts";

interface SlideViewProps {
  lecture: LectureDocument;
  /** In a column beside the text; otherwise over it. */
  isBeside: boolean;
}

/** A slide, large, with its words; the one before it and the next. Its owner can move and delete it. */
export default function SlideView({ lecture, isBeside }: SlideViewProps) {
  const t = useT();
  const common = useCommonT();
  const slides = useValue(shownSlides);
  const openId = useValue(openSlide);
  const box = useRef<HTMLElement>(null);
  const opener = useRef<Element>(document.activeElement);
  const at = slides.findIndex(({ id }) => id === openId);
  const slide = slides[at];
  const isOpen = slide !== undefined;
  useEffect(() => {
    if (isBeside && isOpen) box.current?.focus({ preventScroll: true });
  }, [isBeside, isOpen]);
  if (!slide) return null;

  function close() {
    openSlide.set(null);
    if (isBeside && opener.current instanceof HTMLElement)
      opener.current.focus({ preventScroll: true });
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
      <div className="flex flex-wrap items-center gap-1">
        <p className="mr-auto min-w-0 text-ink-3 text-sm wrap-anywhere">
          {describeSlide(slide, t)}
        </p>
        {isBeside ? null : steps}
        <OwnTools lecture={lecture} slide={slide} next={slides[at + 1] ?? slides[at - 1]} />
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
  if (!isBeside)
    return (
      <Dialog open onClose={close} title={title} isWide>
        {content}
      </Dialog>
    );
  return (
    <section
      ref={box}
      data-part
      tabIndex={-1}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.nativeEvent.isComposing) return;
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.key === "Escape") close();
        else if (step) show(step);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      className="absolute top-0 right-0 bottom-(--controls-height,0px) z-3 row-start-2 grid w-90 grid-rows-[auto_minmax(0,1fr)] border-rule border-l bg-paper outline-none"
    >
      <div className="flex h-11 items-center gap-1 border-rule border-b ps-5 pe-2">
        <h2 className="tabular mr-auto truncate font-[550]">{title}</h2>
        {steps}
        <IconButton icon={X} label={common("common.close")} onClick={close} />
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
  if (fileName !== null && page !== null) return t("slides.page", { file: fileName, page });
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

interface OwnToolsProps {
  lecture: LectureDocument;
  slide: ShownSlide;
  /** Shown when this one is deleted. */
  next: ShownSlide | undefined;
}

/** Moves a slide from sentence to sentence, and deletes it. */
function OwnTools({ lecture, slide, next }: OwnToolsProps) {
  const t = useT();
  const control = useValue(slideControl);
  if (control === null) return null;

  function move(step: number) {
    const rows = lecture.transcript.rows();
    const positions = new Map(rows.map(({ id }, position) => [id, position]));
    const from = findSlideRow(slide, rows, positions);
    const row = rows[Math.min(Math.max(0, from + step), rows.length - 1)];
    if (row) control?.move(slide.id, row.id);
  }
  const tools: [LucideIcon, string, () => void][] = [
    [ChevronUp, t("slides.earlier"), () => move(-1)],
    [ChevronDown, t("slides.later"), () => move(1)],
    [
      MousePointerClick,
      t("slides.choose"),
      () => {
        slideToPlace.set(slide.id);
        openSlide.set(null);
      },
    ],
    [
      Trash2,
      t("slides.delete"),
      () => {
        openSlide.set(next?.id ?? null);
        control.remove([slide.id]);
      },
    ],
  ];
  return tools.map(([icon, label, run]) => (
    <IconButton key={label} icon={icon} label={label} onClick={run} />
  ));
}
