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

/** `text` with the marks of `excerpt`, a part of it; without marks if `excerpt` is not in it. */
export function highlightExcerpt(text: string, excerpt: MarkedText): MarkedText {
  const at = text.indexOf(excerpt.join(""));
  if (at === -1) return [text];
  const marked = [...excerpt];
  marked[0] = text.slice(0, at) + (marked[0] ?? "");
  const end = marked.join("").length;
  marked[marked.length - 1] = (marked.at(-1) ?? "") + text.slice(end);
  return marked;
}
