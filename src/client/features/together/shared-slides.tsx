import { useMemo } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useShownSlides } from "#client/reading/slides/use-shown-slides.ts";
import { api } from "#client/state/queries.tsx";
import { toSlidePath } from "#shared/slide-address.ts";
import type { Slide } from "#shared/slides.ts";

const noSlides: readonly Slide[] = [];

interface SharedSlidesProps {
  lecture: LectureDocument;
  lectureId: string;
}

/** Shows the slides of another person's lecture in its rows; only their owner changes them. */
export default function SharedSlides({ lecture, lectureId }: SharedSlidesProps) {
  const { data: stored = noSlides } = api.slides.list.useQuery({ lectureId });
  const slides = useMemo(
    () =>
      stored
        .filter(({ hasPictures }) => hasPictures)
        .map((slide) => ({
          ...slide,
          full: toSlidePath(slide.id, "full"),
          thumbnail: toSlidePath(slide.id, "thumbnail"),
        })),
    [stored],
  );
  useShownSlides(lecture, slides);
  return null;
}
