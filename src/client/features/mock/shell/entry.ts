/** An entry of the sidebar: a link, or a button that looks like one. */
export const entryClass =
  "touch-target flex w-full items-center gap-2.5 rounded-s px-2.5 py-1.5 text-left text-ink-2 text-sm transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink aria-[current=page]:bg-seal-wash aria-[current=page]:font-[550] aria-[current=page]:text-ink";
