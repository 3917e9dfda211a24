import * as z from "zod/mini";
import { areDistinct, nonNegativeInt, storedText } from "./fields.ts";
import { uuid } from "./lecture.ts";
import {
  slideFileNameMaxLength,
  slidePagesMax,
  slidePictureMaxWidth,
  slidesMax,
  slidesPerCallMax,
  slideTextMaxLength,
} from "./limits.ts";

/**
 * Slides of a lecture: pages of a file, stills of a shared screen, and photographs. Each stands at the row during which it was
 * shown. A slide is saved first (`slides.save`), then its two pictures are sent: `PUT /api/slides/<id>/<kind>`, whose body is the
 * file. `GET` of the same address (`slide-address.ts`) answers with it, for a share's readers with the link's secret as
 * `shareCodeParam`; `GET /api/slides` with that parameter lists the share's slides (`SharedSlides`).
 */

export const slideKinds = ["full", "thumbnail"] as const;
export type SlideKind = (typeof slideKinds)[number];

export const slideTypes = ["image/webp", "image/jpeg", "image/png"] as const;

export const slideSources = ["file", "screen", "camera"] as const;
/** Who has chosen the row: a person, the words that both have, or the time at which it was shown. */
export const waysToPlace = ["person", "words", "time"] as const;
const placedBy = z.enum(waysToPlace);

const pictureLength = z.int().check(z.minimum(1), z.maximum(slidePictureMaxWidth));

/** A slide as the browser saves it; the browser chooses `id`. */
export const newSlide = z.object({
  id: uuid,
  /** The row at which it stands; null: before the first one, because nobody knows. */
  rowId: z.nullable(uuid),
  /** When it was shown, on the lecture's clock; null for a page of a file. */
  atMs: z.nullable(nonNegativeInt),
  /** Its number in the file, from 1. */
  page: z.nullable(z.int().check(z.minimum(1), z.maximum(slidePagesMax))),
  fileName: z.nullable(storedText(slideFileNameMaxLength)),
  source: z.enum(slideSources),
  /** The words on it, as far as they were found. */
  text: storedText(slideTextMaxLength),
  placedBy,
  /** Of the full picture, in pixels. */
  width: pictureLength,
  height: pictureLength,
});
export type NewSlide = z.infer<typeof newSlide>;

/** A stored slide. Slides are in the order of their rows, then of `atMs`, then of `page`. */
export interface Slide extends NewSlide {
  lectureId: string;
  /** Both pictures are stored. */
  hasPictures: boolean;
  /** ISO 8601. */
  createdAt: string;
}

const slideIds = z.array(uuid).check(
  z.minLength(1),
  z.maxLength(slidesMax),
  z.refine((ids) => areDistinct(ids), "a slide occurs twice"),
);

/** Stores `slides` in place of those with the same ids; their pictures stay. Repeating it changes nothing. */
export const saveSlidesInput = z.object({
  lectureId: uuid,
  slides: z.array(newSlide).check(
    z.minLength(1),
    z.maxLength(slidesPerCallMax),
    z.refine((slides) => areDistinct(slides.map(({ id }) => id)), "a slide occurs twice"),
  ),
});
export type SaveSlidesInput = z.infer<typeof saveSlidesInput>;

/** Places slides at rows. Those that are not there any more are left out. */
export const moveSlidesInput = z.object({
  lectureId: uuid,
  places: z.array(z.object({ id: uuid, rowId: z.nullable(uuid), placedBy })).check(
    z.minLength(1),
    z.maxLength(slidesMax),
    z.refine((places) => areDistinct(places.map(({ id }) => id)), "a slide occurs twice"),
  ),
});
export type MoveSlidesInput = z.infer<typeof moveSlidesInput>;

export const deleteSlidesInput = z.object({ lectureId: uuid, ids: slideIds });

/** Bytes of all pictures and words of a user's slides, including those of lectures in the trash (`slides.usage`). */
export interface SlidesUsage {
  bytes: number;
  bytesMax: number;
}

/** A slide as a share's readers see it. They know rows by their positions. */
export interface SharedSlide
  extends Pick<NewSlide, "id" | "atMs" | "page" | "text" | "width" | "height"> {
  position: number | null;
}

/** Only those whose pictures are stored, in their order. */
export interface SharedSlides {
  slides: SharedSlide[];
}
