import { useEffect } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { hideSlides, type ShownSlide, showSlides } from "./slides-state.ts";

/** Shows `slides` in the rows of the shown lecture as long as the component lives. */
export function useShownSlides(
  { transcript }: Pick<LectureDocument, "transcript">,
  slides: readonly ShownSlide[],
): void {
  const blocks = useValue(transcript.blocks);
  useEffect(
    () =>
      showSlides(
        slides,
        blocks.flatMap(({ rows }) => rows),
      ),
    [slides, blocks],
  );
  useEffect(() => hideSlides, []);
}
