import { type Finder, pieces } from "./mark.ts";

/** `text` with the words of the search marked in it. */
export function Marked({ text, find }: { text: string; find: Finder }) {
  return pieces(text, find).map((piece, index) =>
    piece.hit ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
        key={index}
        className="rounded-[3px] bg-seal/18 px-px text-ink"
      >
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
