import type { Locator, Page } from "@playwright/test";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";

export interface VisibleRow {
  original: string;
  translated: string | null;
  /** From the row's label or the nearest one above: only the first of a speaker's rows has a label. */
  speaker: string | null;
}

/** Reads the visible rows of a bilingual page; those of the example on an empty page, and announcements, do not count. */
export function readRows(scope: Locator): Promise<VisibleRow[]> {
  return scope.evaluate((root) => {
    let speaker: string | null = null;
    return [
      ...root.querySelectorAll<HTMLElement>('p[lang="en"]:not(figure *, [data-announcements] *)'),
    ].map((original) => {
      const first = original.firstElementChild?.textContent ?? "";
      const label = /^\[S(\d+)\]$/.exec(first)?.[1];
      if (label) speaker = label;
      const text = original.textContent ?? "";
      // A preview is busy.
      const translation = original.parentElement?.querySelector(
        'p[lang]:not([lang="en"], [aria-busy])',
      );
      return {
        original: (label ? text.slice(first.length) : text).trim(),
        translated: translation?.textContent ?? null,
        speaker,
      };
    });
  });
}

/** The transcript on the recording screen. */
export const getTranscript = (page: Page) => page.getByRole("region", { name: "Transcript" });

/** The rows that the page must show for `fixture`, with the demo translation into Simplified Chinese. */
export function toExpectedRows(fixture: LectureFixture): VisibleRow[] {
  return fixture.sentences.map(({ text, speaker }) => ({
    original: text,
    translated: toDemoTranslation(text),
    speaker,
  }));
}

/** The demo translation of `text` into Simplified Chinese. */
export function toDemoTranslation(text: string): string {
  return `〔简体中文·演示〕 ${text.replace(/\.$/, "。")}`;
}

/** The texts that `::highlight(name)` marks, in order. */
export const readMarked = (page: Page, name: "hits" | "current-hit"): Promise<string[]> =>
  page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map(String), name);
