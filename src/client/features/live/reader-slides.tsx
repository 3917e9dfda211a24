import { useEffect, useState } from "react";
import type { ShownSlide } from "#client/reading/slides/slides-state.ts";
import { useShownSlides } from "#client/reading/slides/use-shown-slides.ts";
import { shareCodeParam } from "#shared/site.ts";
import { slidesPath, toSlidePath } from "#shared/slide-address.ts";
import type { SharedSlides, SlideKind } from "#shared/slides.ts";
import type { ReaderSession } from "./reader-session.ts";

const noSlides: readonly ShownSlide[] = [];

interface ReaderSlidesProps {
  session: ReaderSession;
  /** Another value when the slides have changed. */
  version: string;
}

/** Shows the slides of a share in its rows. */
export default function ReaderSlides({ session, version }: ReaderSlidesProps) {
  const { code, lecture } = session;
  const [slides, setSlides] = useState(noSlides);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is fetched
  useEffect(() => {
    const request = new AbortController();
    fetchSlides(code, request.signal).then(setSlides, (failure: unknown) => {
      if (!request.signal.aborted) console.warn("The slides could not be fetched", failure);
    });
    return () => request.abort();
  }, [code, version]);
  useShownSlides(lecture, slides);
  return null;
}

async function fetchSlides(code: string, signal: AbortSignal): Promise<readonly ShownSlide[]> {
  const search = new URLSearchParams({ [shareCodeParam]: code });
  const answer = await fetch(`${slidesPath}?${search}`, { signal });
  if (!answer.ok) throw new Error(`Answer ${answer.status}`);
  const toAddress = (id: string, kind: SlideKind) => `${toSlidePath(id, kind)}?${search}`;
  // Not by a schema: it would load a parser.
  const { slides }: SharedSlides = await answer.json();
  return slides.map(({ position, ...slide }) => ({
    ...slide,
    // As the rows of a share are named on this page.
    rowId: position === null ? null : String(position),
    fileName: null,
    full: toAddress(slide.id, "full"),
    thumbnail: toAddress(slide.id, "thumbnail"),
  }));
}
