import type { ReactNode } from "react";

/**
 * In place of a translation: why it is missing. It lies over the space of the translation and of the padding below it,
 * so that it moves nothing.
 */
export const MissingTranslation = ({ children }: { children: ReactNode }) => (
  <span
    role="status"
    className="relative z-1 inline-block max-w-[36rem] text-pretty bg-paper font-ui text-[0.8125rem] text-ink-2 leading-4.5"
  >
    {children}
  </span>
);
