/** A file whose pages become slides. Shared by the page and the worker that draws them. */

export const slideFileMaxBytes = 100 * 1024 * 1024;

export const isPdf = ({ name, type }: File): boolean =>
  type === "application/pdf" || /\.pdf$/i.test(name);

export const isPicture = ({ type }: File): boolean =>
  /^image\/(?:jpeg|png|webp|heic|heif|gif|avif)$/.test(type);

/** Whether `file` may have slides, by its name and type. */
export const isSlideFile = (file: File): boolean => isPdf(file) || isPicture(file);

export interface PictureBounds {
  /** Pixels in either direction. */
  maxLength: number;
  maxBytes: number;
}

/** A picture with its thumbnail, as they are sent. */
export interface SlidePictures {
  full: Blob;
  thumbnail: Blob;
  /** Of `full`, in pixels. */
  width: number;
  height: number;
}

export interface SlidePage extends SlidePictures {
  /** From 1. */
  page: number;
  text: string;
}

/** Why a file's pages cannot be had; the messages `slides.refused.…` say so. */
export type SlideFileProblem =
  | "kind"
  | "size"
  | "pages"
  | "locked"
  | "broken"
  | "slow"
  /** The browser cannot draw in a worker. */
  | "browser";

export class SlideFileError extends Error {
  override readonly name = "SlideFileError";
  constructor(readonly problem: SlideFileProblem) {
    super(problem);
  }
}

export interface DrawRequest {
  file: File;
  /** A file with more is refused. */
  pagesMax: number;
}

/** What the worker says. Its library sends messages of its own, which have no `slides`. */
export interface DrawReport {
  slides:
    | { kind: "page"; page: SlidePage; total: number }
    | { kind: "done" }
    | { kind: "failed"; problem: SlideFileProblem };
}
