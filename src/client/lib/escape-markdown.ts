/** Escapes `text` (one line) so that Markdown renders it literally. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\`*_[\]<~|]/g, "\\$&")
      .replace(/&(?=#?\w+;)/g, "\\&")
      // At the start of a line: headings, quotations, lists, rules, underlines of headings.
      .replace(/^(#{1,6}|[-+>=])/, "\\$1")
      .replace(/^(\d{1,9})([.)])/, "$1\\$2")
  );
}
