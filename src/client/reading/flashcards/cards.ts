import { writeFormula } from "#client/lib/formulas.ts";
import { formatClock, hasTime } from "#shared/clock-time.ts";
import type { CardSource } from "./card-sources.ts";

/** A card as the person sees and edits it. */
export interface Card {
  id: string;
  /** `term`: a term and its agreed translation; `question`: what the model has written. */
  kind: "term" | "question";
  source: CardSource;
  /** Or the term. */
  question: string;
  /** Or its translation. */
  answer: string;
  isLeftOut: boolean;
}

/** What stands in front on cards of terms; `both`: two cards of each. */
export const directions = ["term", "translation", "both"] as const;
export type Direction = (typeof directions)[number];

/** A card as a file has it. */
export interface ExportedCard {
  /** The same one whenever the card is exported, also with other texts. */
  id: string;
  /** Of its sentence. */
  rowId: string;
  front: string;
  back: string;
  sentence: string;
  /** On the lecture's clock; empty for a row without times. */
  time: string;
  note: string;
}

/** The cards of terms, which need no model. */
export const listTermCards = (sources: readonly CardSource[]): Card[] =>
  sources.flatMap((source) =>
    source.term
      ? [
          {
            ...({ id: `${source.id}-term`, kind: "term", source, isLeftOut: false } as const),
            question: source.term.source,
            answer: source.term.target,
          },
        ]
      : [],
  );

/** In the order of the lecture, a term's own card before the question about it. */
export const sortCards = (cards: readonly Card[]): Card[] =>
  cards.toSorted(
    (a, b) =>
      Number(a.source.id.slice(1)) - Number(b.source.id.slice(1)) ||
      Number(a.kind === "question") - Number(b.kind === "question"),
  );

/** A card with a blank side cannot be learned. */
export const isWhole = ({ question, answer }: Card): boolean =>
  question.trim() !== "" && answer.trim() !== "";

export const getTime = ({ row }: CardSource): string =>
  hasTime(row) ? formatClock(row.startMs / 1_000) : "";

/** Without those that are left out, and those with a blank side. */
export function listExportedCards(cards: readonly Card[], direction: Direction): ExportedCard[] {
  const whole = cards.filter((card) => !card.isLeftOut && isWhole(card));
  return whole.flatMap(({ kind, source, ...card }) => {
    const [question, answer] = [card.question.trim(), card.answer.trim()];
    const id = [source.row.id, kind, source.term?.source ?? ""].join(" ").trim();
    const shared = {
      rowId: source.row.id,
      sentence: [
        source.row.original.trim(),
        ...(source.row.formulas ?? []).map(({ tex }) => writeFormula(tex)),
      ].join(" "),
      time: getTime(source),
      note: source.note,
    };
    const forward = { id, front: question, back: answer, ...shared };
    const backward = { id: `${id} back`, front: answer, back: question, ...shared };
    if (kind === "question" || direction === "term") return [forward];
    return direction === "both" ? [forward, backward] : [backward];
  });
}
