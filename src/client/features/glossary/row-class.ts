const shared =
  "grid items-start border-rule border-b [contain-intrinsic-size:auto_2.5625rem] [content-visibility:auto]";

/** A row of the folder's own terms; on a phone it is a card of two lines. */
export const rowClass = `${shared} grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,6fr)_9.5rem_2.5rem] max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.75rem]`;

/** A row of inherited terms: the same columns, with actions in place of the last two. */
export const inheritedRowClass = `${shared} grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,6fr)_12rem] max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]`;

/** The texts of cells begin at the page's left edge. */
export const tableClass = "-mx-2.5 block";

export const headClass = "px-2.5 pb-1.5 text-left wrap-anywhere font-[550] text-ink-3 text-xs";

export const cellTextClass = "whitespace-pre-wrap px-2.5 py-2 leading-6 wrap-anywhere";
