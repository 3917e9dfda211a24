import { lazy, type ReactNode, Suspense } from "react";

// Where it cannot be loaded, formulas stay as they are written.
const TextWithFormulas = lazy(() =>
  import("./formula.tsx").then(
    ({ TextWithFormulas: Loaded }) => ({ default: Loaded }),
    () => ({ default: ({ text }: { text: string }) => text }),
  ),
);

const show = (text: string, isLine: boolean): ReactNode =>
  /[$\\]/.test(text) ? (
    <Suspense fallback={text}>
      <TextWithFormulas text={text} isLine={isLine} />
    </Suspense>
  ) : (
    text
  );

/** A text, in which formulas are typeset; nothing is loaded for one without their signs. */
export const showFormulas = (text: string): ReactNode => show(text, false);

/** The same of a text that has one line in a list, whose end may be cut off. */
export const showFormulaLine = (text: string): ReactNode => show(text, true);
