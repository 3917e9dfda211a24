import { useEffect, useEffectEvent } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { shownSlides } from "#client/reading/slides/slides-state.ts";
import type { DisplayPicture } from "#client/sound/display/display-picture.ts";
import { slidesMax } from "#shared/limits.ts";
import { canEncode, encodeSlide } from "./files/encode-picture.ts";
import type { SlideQueue } from "./slide-queue.ts";
import { grayHeight, grayWidth, StillFinder } from "./still-finder.ts";

/** Between two pictures that are compared, ms. */
const periodMs = 500;

interface ScreenStillsProps {
  picture: DisplayPicture;
  lecture: LectureDocument;
  lectureId: string;
  queue: SlideQueue;
}

/** Keeps a still of the shared tab or screen whenever another picture stays there. Shows nothing itself. */
export default function ScreenStills({ picture, lecture, lectureId, queue }: ScreenStillsProps) {
  const keep = useEffectEvent(async (frame: ImageBitmap) => {
    if (shownSlides.get().length >= slidesMax) return;
    // What is said while it is shown: the sentence being spoken, or the last one.
    const atMs =
      lecture.transcript.live.get()?.startMs ?? lecture.transcript.rows().at(-1)?.endMs ?? 0;
    const { width, height, ...pictures } = await encodeSlide(frame);
    const slide = {
      id: crypto.randomUUID(),
      rowId: null,
      atMs: Math.round(atMs),
      page: null,
      fileName: null,
      source: "screen",
      text: "",
      placedBy: "time",
      width,
      height,
    } as const;
    await queue.add([{ lectureId, slide, ...pictures }]);
  });
  useEffect(() => watchStills(picture, (frame) => keep(frame)), [picture]);
  return null;
}

/** Calls `onStill` with each picture that stays. Returns the function that ends it. Chromium alone shares sound, and has all. */
function watchStills(
  { track, elapsedMs }: DisplayPicture,
  onStill: (frame: ImageBitmap) => Promise<void>,
): () => void {
  if (typeof ImageCapture !== "function" || !canEncode()) return () => {};
  const capture = new ImageCapture(track);
  const context = new OffscreenCanvas(grayWidth, grayHeight).getContext("2d", {
    willReadFrequently: true,
  });
  const finder = new StillFinder();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let isBusy = false;

  async function look(): Promise<void> {
    const now = elapsedMs.get();
    if (isBusy || context === null || now - lookedAtMs < periodMs || track.readyState !== "live")
      return;
    isBusy = true;
    lookedAtMs = now;
    try {
      const frame = await capture.grabFrame();
      context.drawImage(frame, 0, 0, grayWidth, grayHeight);
      const gray = toGray(context.getImageData(0, 0, grayWidth, grayHeight).data);
      if (finder.add(gray, now) !== null) await onStill(frame);
      frame.close();
    } catch (failure) {
      // A tab that is hidden or just changed gives none.
      console.warn("No picture of the shared tab", failure);
    } finally {
      isBusy = false;
    }
  }
  return elapsedMs.subscribe(() => void look());
}

function toGray(pixels: Uint8ClampedArray): Uint8ClampedArray {
  const gray = new Uint8ClampedArray(pixels.length / 4);
  for (let at = 0; at < gray.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
    gray[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return gray;
}
