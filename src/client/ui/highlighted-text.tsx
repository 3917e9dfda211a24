import type { MarkedText } from "#shared/search.ts";

export function HighlightedText({ text }: { text: MarkedText }) {
  return text.map((piece, index) =>
    index % 2 === 1 ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
        key={index}
        className="rounded-[3px] bg-hit px-px text-hit-ink"
      >
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
