import type { Sides } from "#client/features/export/exported-lecture.ts";
import { toPresentName } from "#shared/former-names.ts";

export const sidesChoices = ["original", "translation", "both"] as const satisfies readonly Sides[];

export const layouts = ["columns", "stacked"] as const;
export type Layout = (typeof layouts)[number];

export interface PrintOptions {
  layout: Layout;
  times: boolean;
  speakers: boolean;
  summary: boolean;
  marks: boolean;
  terms: boolean;
}

export interface PrintSearch extends PrintOptions {
  /** Id; empty if the URL has none. */
  lecture: string;
  sides: Sides;
}

export const parsePrintSearch = (search: Record<string, unknown>): PrintSearch => ({
  lecture: typeof search.lecture === "string" ? search.lecture : "",
  sides: sidesChoices.find((sides) => sides === toPresentName(search.sides)) ?? "both",
  layout: search.layout === "stacked" ? "stacked" : "columns",
  times: search.times !== false,
  speakers: search.speakers !== false,
  summary: search.summary !== false,
  marks: search.marks !== false,
  terms: search.terms !== false,
});
