import type { Sides } from "#client/features/export/exported-lecture.ts";

export const sidesChoices = ["original", "translation", "both"] as const satisfies readonly Sides[];

export const layouts = ["columns", "stacked"] as const;
export type Layout = (typeof layouts)[number];

/** What a person may leave out, in the order of the choices. */
export const printParts = ["times", "speakers", "summary", "marks", "slides", "terms"] as const;
export type PrintPart = (typeof printParts)[number];

export type PrintOptions = { layout: Layout } & Record<PrintPart, boolean>;

export interface PrintSearch extends PrintOptions {
  /** Id; empty if the URL has none. */
  lecture: string;
  sides: Sides;
}

export const parsePrintSearch = (search: Record<string, unknown>): PrintSearch => ({
  lecture: typeof search.lecture === "string" ? search.lecture : "",
  sides: sidesChoices.find((sides) => sides === search.sides) ?? "both",
  layout: search.layout === "stacked" ? "stacked" : "columns",
  times: search.times !== false,
  speakers: search.speakers !== false,
  summary: search.summary !== false,
  marks: search.marks !== false,
  slides: search.slides !== false,
  terms: search.terms !== false,
});
