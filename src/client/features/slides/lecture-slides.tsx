import { useEffect, useEffectEvent, useMemo } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { listen } from "#client/lib/listen.ts";
import { toast } from "#client/lib/notifications.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import {
  openSlide,
  type ShownSlide,
  slideControl,
  slideToPlace,
} from "#client/reading/slides/slides-state.ts";
import { useShownSlides } from "#client/reading/slides/use-shown-slides.ts";
import { findRow, getPosition } from "#client/reading/use-rows.ts";
import { displayPicture } from "#client/sound/display/display-picture.ts";
import { api } from "#client/state/queries.tsx";
import { recordedLecture } from "#client/state/recording.ts";
import type { WaitingSlide } from "#client/state/stored/waiting-slides.ts";
import { toSlidePath } from "#shared/slide-address.ts";
import type { Slide } from "#shared/slides.ts";
import { slideFileMessages, t } from "./messages/index.ts";
import { getWaitingAddresses, placeSlides, removeSlides, useSlideQueue } from "./own-slides.ts";
import { usePlacedPages } from "./use-placed-pages.ts";

const SlidesDialog = lazyPart(() => import("./slides-dialog.tsx"), slideFileMessages);
const ScreenStills = lazyPart(() => import("./screen-stills.tsx"), slideFileMessages);

interface LectureSlidesProps {
  document: LectureDocument;
  userId: string;
}

/** The slides of a lecture that can be changed: shows them in its rows, and has the dialog that adds some. */
export default function LectureSlides({ document, userId }: LectureSlidesProps) {
  const lectureId = useField(document.view, "lecture")?.id ?? null;
  return lectureId === null ? null : (
    <ShownSlides key={lectureId} lecture={document} lectureId={lectureId} userId={userId} />
  );
}

const noSlides: readonly Slide[] = [];

interface ShownSlidesProps {
  lecture: LectureDocument;
  lectureId: string;
  userId: string;
}

function ShownSlides({ lecture, lectureId, userId }: ShownSlidesProps) {
  const queue = useSlideQueue(userId);
  const { data: stored = noSlides } = api.slides.list.useQuery({ lectureId });
  const allWaiting = useValue(queue.waiting);
  const isDialogOpen = useValue(readingDialog)?.kind === "slides";
  const isDialogLoaded = useLatch(isDialogOpen);
  const picture = useValue(displayPicture);
  const isRecordedHere = useValue(recordedLecture) === lecture;

  const slides = useMemo(() => {
    const waiting = allWaiting.filter((one) => one.lectureId === lectureId);
    const ids = new Set(waiting.map(({ slide }) => slide.id));
    return [
      ...stored.filter(({ id, hasPictures }) => hasPictures && !ids.has(id)).map(toShown),
      ...waiting.map(toShownWaiting),
    ];
  }, [stored, allWaiting, lectureId]);
  useShownSlides(lecture, slides);
  useEffect(() => {
    slideControl.set({
      move: (id, rowId) => void placeSlides(queue, lectureId, [{ id, rowId, placedBy: "person" }]),
      remove: (ids) => void removeSlides(queue, lectureId, ids),
    });
    return () => slideControl.set(null);
  }, [queue, lectureId]);
  usePlacedPages(lecture, stored, (places) => void placeSlides(queue, lectureId, places));
  useChosenRow(lecture);

  return (
    <>
      {isDialogLoaded ? (
        <SlidesDialog
          lecture={lecture}
          lectureId={lectureId}
          queue={queue}
          open={isDialogOpen}
          onClose={() => readingDialog.set(null)}
        />
      ) : null}
      {picture && isRecordedHere ? (
        <ScreenStills picture={picture} lecture={lecture} lectureId={lectureId} queue={queue} />
      ) : null}
    </>
  );
}

/** The same object for the same slide, so that its row does not render again. */
const shown = new WeakMap<Slide | WaitingSlide, ShownSlide>();

function remember<T extends Slide | WaitingSlide>(source: T, create: () => ShownSlide): ShownSlide {
  const known = shown.get(source) ?? create();
  shown.set(source, known);
  return known;
}

const toShown = (slide: Slide): ShownSlide =>
  remember(slide, () => ({
    ...slide,
    full: toSlidePath(slide.id, "full"),
    thumbnail: toSlidePath(slide.id, "thumbnail"),
  }));

const toShownWaiting = (waiting: WaitingSlide): ShownSlide =>
  remember(waiting, () => ({ ...waiting.slide, ...getWaitingAddresses(waiting) }));

/** While a row is to be chosen for a slide, the next press on one places it there; Escape leaves it where it is. */
function useChosenRow(lecture: LectureDocument): void {
  const id = useValue(slideToPlace);
  const choose = useEffectEvent((event: Event) => {
    const element = findRow(event.target);
    const row = element && lecture.transcript.rows()[getPosition(element)];
    if (!id || !row) return;
    event.preventDefault();
    event.stopPropagation();
    slideControl.get()?.move(id, row.id);
    slideToPlace.set(null);
    openSlide.set(id);
  });
  useEffect(() => {
    if (id === null) return;
    toast({
      kind: "info",
      title: t("slides.chooseNow"),
      description: t("slides.chooseText"),
    });
    const stopClicks = listen(window, "click", choose, { capture: true });
    const stopKeys = listen(window, "keydown", (event) => {
      if (event.key === "Escape") slideToPlace.set(null);
    });
    return () => {
      stopClicks();
      stopKeys();
    };
  }, [id]);
}
