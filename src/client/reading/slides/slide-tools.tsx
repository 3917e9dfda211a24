import { ChevronDown, ChevronUp, type LucideIcon, MousePointerClick, Trash2 } from "lucide-react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";
import {
  findSlideRow,
  openSlide,
  type ShownSlide,
  type SlideControl,
  slideToPlace,
} from "./slides-state.ts";

interface SlideToolsProps {
  control: SlideControl;
  lecture: LectureDocument;
  slide: ShownSlide;
  /** Shown when this one is deleted. */
  next: ShownSlide | undefined;
}

/** Moves a slide from sentence to sentence, and deletes it. */
export default function SlideTools({ control, lecture, slide, next }: SlideToolsProps) {
  const t = useT();

  function move(step: number) {
    const rows = lecture.transcript.rows();
    const positions = new Map(rows.map(({ id }, position) => [id, position]));
    const from = findSlideRow(slide, rows, positions);
    const row = rows[Math.min(Math.max(0, from + step), rows.length - 1)];
    if (row) control.move(slide.id, row.id);
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
