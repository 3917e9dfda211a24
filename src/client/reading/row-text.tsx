/** The texts of a row's paragraph, as the row has them: without its speaker, and with formulas as they are written. */
export const listOwnTexts = (paragraph: Element): Text[] =>
  [...paragraph.childNodes].flatMap((node) => {
    const own =
      node instanceof HTMLElement && node.dataset.formula !== undefined
        ? node.firstChild?.firstChild
        : node;
    return own instanceof Text ? [own] : [];
  });

export const joinTexts = (texts: readonly Text[]): string => texts.map(({ data }) => data).join("");

/** Characters `start` to `end` of what a paragraph's `texts` are together; a formula is in it as a whole. */
export function createTextRange(texts: readonly Text[], start: number, end: number): Range {
  const range = document.createRange();
  let from = 0;
  for (const text of texts) {
    const to = from + text.length;
    const formula = text.parentElement?.closest("[data-formula]");
    if (start >= from && start < to) {
      if (formula) range.setStartBefore(formula);
      else range.setStart(text, start - from);
    }
    if (end > from && end <= to) {
      if (formula) range.setEndAfter(formula);
      else range.setEnd(text, end - from);
    }
    from = to;
  }
  return range;
}
