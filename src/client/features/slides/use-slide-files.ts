import { useEffect, useRef, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { oneLine } from "#client/lib/text.ts";
import { shownSlides } from "#client/reading/slides/slides-state.ts";
import type { WaitingSlide } from "#client/state/stored/waiting-slides.ts";
import { slideFileNameMaxLength, slidesMax } from "#shared/limits.ts";
import type { NewSlide } from "#shared/slides.ts";
import { readPicture, readSlideFile } from "./files/read-slide-file.ts";
import {
  isPdf,
  SlideFileError,
  type SlideFileProblem,
  type SlidePage,
  type SlidePictures,
} from "./files/slide-file.ts";
import type { SlideQueue } from "./slide-queue.ts";
import { placePages } from "./use-placed-pages.ts";

interface SlideFiles {
  /** The PDF file that was added last. */
  added: File | null;
  /** Pages that are drawn; null: no file is read. */
  progress: { file: string; done: number; total: number | null } | null;
  problem: { file: string; problem: SlideFileProblem } | null;
  add: (files: readonly File[]) => Promise<void>;
  cancel: () => void;
}

type NewPicture = Omit<WaitingSlide, "userId">;

const getName = ({ name }: File) => oneLine(name).slice(0, slideFileNameMaxLength).toWellFormed();

/** Adds pages of files and pictures to a lecture, one file after the other. Closing the dialog does not end it. */
export function useSlideFiles(
  lecture: LectureDocument,
  lectureId: string,
  queue: SlideQueue,
): SlideFiles {
  const [progress, setProgress] = useState<SlideFiles["progress"]>(null);
  const [problem, setProblem] = useState<SlideFiles["problem"]>(null);
  const [added, setAdded] = useState<File | null>(null);
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);

  const toWaiting = (
    { full, thumbnail, width, height }: SlidePictures,
    rest: Omit<NewSlide, "id" | "width" | "height">,
  ): NewPicture => ({
    lectureId,
    slide: { id: crypto.randomUUID(), width, height, ...rest },
    full,
    thumbnail,
  });

  async function addPdf(file: File, pagesMax: number, signal: AbortSignal) {
    const pages: SlidePage[] = [];
    const onPage = (page: SlidePage, total: number) => {
      pages.push(page);
      setProgress({ file: file.name, done: pages.length, total });
    };
    await readSlideFile({ file, pagesMax }, onPage, signal);
    signal.throwIfAborted();
    const slides = pages.map(({ page, text, ...pictures }) =>
      toWaiting(pictures, {
        page,
        text,
        rowId: null,
        atMs: null,
        fileName: getName(file),
        source: "file",
        placedBy: "words",
      }),
    );
    const places = placePages(
      slides.map(({ slide }) => slide),
      lecture.transcript.rows(),
    );
    const rows = new Map(places.map(({ id, rowId }) => [id, rowId]));
    await queue.add(
      slides.map((one) => ({
        ...one,
        slide: { ...one.slide, rowId: rows.get(one.slide.id) ?? null },
      })),
    );
  }

  /** A photograph is of what is said now; a picture of a file that is read stands at the end, until it is moved. */
  async function addPicture(file: File) {
    const pictures = await readPicture(file);
    const { live } = lecture.transcript;
    const last = lecture.transcript.rows().at(-1);
    const atMs = live.get()?.startMs ?? last?.endMs ?? 0;
    await queue.add([
      toWaiting(pictures, {
        page: null,
        text: "",
        rowId: live.get() === null ? (last?.id ?? null) : null,
        atMs: Math.round(atMs),
        fileName: getName(file) || null,
        source: "camera",
        placedBy: "time",
      }),
    ]);
  }

  async function add(files: readonly File[]) {
    if (reading.current) return;
    const controller = new AbortController();
    reading.current = controller;
    setProblem(null);
    for (const file of files) {
      setProgress({ file: file.name, done: 0, total: null });
      try {
        const room = slidesMax - shownSlides.get().length;
        if (room <= 0) throw new SlideFileError("pages");
        if (isPdf(file)) {
          await addPdf(file, room, controller.signal);
          setAdded(file);
        } else await addPicture(file);
      } catch (failure) {
        if (controller.signal.aborted) break;
        const reason = failure instanceof SlideFileError ? failure.problem : "broken";
        setProblem({ file: file.name, problem: reason });
      }
    }
    setProgress(null);
    reading.current = null;
  }

  return { added, progress, problem, add, cancel: () => reading.current?.abort() };
}
