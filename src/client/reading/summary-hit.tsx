import { type RefObject, useEffect } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { highlight } from "./highlight.ts";
import { searchTarget } from "./search-target.ts";

/** Without white space and the signs of Markdown, which the rendered text lacks. */
const toPlain = (text: string) => text.replace(/[\s#*_`~>[\]-]+/g, "");

/** Scrolls to the sentence of the summary that a search result leads to, and marks its words. */
export function SummaryHit({ box }: { box: RefObject<HTMLElement | null> }) {
  const target = useValue(searchTarget);
  const isSummary = target?.place.type === "summary";
  const pieces = isSummary && target.hit?.kind === "summary" ? target.hit.text : null;

  useEffect(() => {
    if (isSummary) box.current?.closest<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
  }, [box, isSummary]);

  useEffect(() => {
    if (!pieces || !box.current) return;
    const excerpt = toPlain(pieces.join(""));
    const block = [...box.current.querySelectorAll("p,li,h3,h4,pre")].find((element) => {
      const text = toPlain(readText(element));
      return text !== "" && (text.includes(excerpt) || excerpt.includes(text));
    });
    if (!block) return;
    block.scrollIntoView({ block: "center" });
    highlight(
      "hits",
      listRanges(
        block,
        pieces.filter((_, at) => at % 2 === 1),
      ),
    );
    return () => highlight("hits", []);
  }, [box, pieces]);

  return null;
}

/** The text of `element`, in which a formula is as it is written. */
function readText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const math of copy.querySelectorAll("[data-math]")) math.remove();
  return copy.textContent;
}

/** The first place of each of `words` in `element`. */
function listRanges(element: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let from = 0;
    for (let word = words[ranges.length]; word !== undefined; word = words[ranges.length]) {
      const at = node.nodeValue?.indexOf(word, from) ?? -1;
      if (at === -1) break;
      from = at + word.length;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, from);
      ranges.push(range);
    }
  }
  return ranges;
}
