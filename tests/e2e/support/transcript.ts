import type { Locator, Page } from "@playwright/test";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";

export interface VisibleRow {
  english: string;
  translated: string | null;
  /** As the labels on the page say; carried on to the rows of the same speaker. */
  speaker: string | null;
}

/** The rows of a bilingual page as a reader sees them. */
export function readRows(scope: Locator): Promise<VisibleRow[]> {
  return scope.evaluate((root) => {
    let speaker: string | null = null;
    return [...root.querySelectorAll<HTMLElement>('p[lang="en"]')].map((english) => {
      const first = english.firstElementChild?.textContent ?? "";
      const label = /^\[S(\d+)\]$/.exec(first)?.[1];
      if (label) speaker = label;
      const text = english.textContent ?? "";
      const translation = english.parentElement?.querySelector('p[lang]:not([lang="en"])');
      return {
        english: (label ? text.slice(first.length) : text).trim(),
        translated: translation?.textContent ?? null,
        speaker,
      };
    });
  });
}

/** The bilingual page of the recording screen. */
export const getTranscript = (page: Page) => page.getByRole("region", { name: "Transcript" });

/** What the page must show for `fixture`, with the demo translation into Simplified Chinese. */
export function toExpectedRows(fixture: LectureFixture): VisibleRow[] {
  return fixture.sentences.map(({ text, speaker }) => ({
    english: text,
    translated: toDemoTranslation(text),
    speaker,
  }));
}

/** What the demo translator makes of `text` in Simplified Chinese. */
export function toDemoTranslation(text: string): string {
  return `〔简体中文·演示〕 ${text.replace(/\.$/, "。")}`;
}
