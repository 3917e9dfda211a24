import { createElement, type ReactNode, useEffect, useMemo, useState } from "react";
import {
  dropCutFormula,
  type FormulaPiece,
  mayHaveFormula,
  splitFormulas,
} from "#client/lib/formulas.ts";
import type { MathElement, MathNode, typesetFormula } from "#client/lib/typeset.ts";

/** Null until it is needed. */
let typeset: typeof typesetFormula | null = null;

/** Fetches what typesets formulas. Without it they are shown as they are written. */
async function loadTypesetting(): Promise<void> {
  const [module] = await Promise.all([
    import("#client/lib/typeset.ts"),
    import("temml/dist/Temml-Local.css"),
    import("./formula.css"),
  ]);
  typeset = module.typesetFormula;
}

/** The most formulas of a text that are typeset. */
export const maxFormulas = 300;

/** Longer formulas within a line are scrolled sideways where they find no room, in characters. */
const shortLength = 60;

/** Where elements of MathML take no styles, React would throw. */
const hasStyles =
  typeof document !== "undefined" &&
  "style" in document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");

const renderMath = (node: MathNode, key: number): ReactNode =>
  typeof node === "string" ? node : createMathElement(node, { key });

const createMathElement = (
  { name, attributes: { class: className, ...attributes }, style, children }: MathElement,
  more: Record<string, unknown>,
): ReactNode =>
  createElement(
    name,
    { className, ...attributes, ...(hasStyles && { style }), ...more },
    ...children.map(renderMath),
  );

/**
 * A formula, typeset. What it is written as stays in the page, unseen: it is what is found, copied, selected and read
 * aloud.
 */
export function ShownFormula({ text, formula }: FormulaPiece) {
  const [show, setShow] = useState(() => typeset);
  useEffect(() => {
    let isGone = false;
    // What fails is tried again for the next formula.
    if (!show)
      void loadTypesetting().then(
        () => isGone || setShow(() => typeset),
        (cause) => console.warn("Formulas cannot be typeset", cause),
      );
    return () => {
      isGone = true;
    };
  }, [show]);
  const { tex, isDisplay } = formula;
  const math = useMemo(() => show?.({ tex, isDisplay }), [show, tex, isDisplay]);
  if (!math) return text;
  const shape = isDisplay
    ? "block overflow-x-auto overflow-y-hidden py-1"
    : tex.length > shortLength
      ? "inline-block max-w-full overflow-x-auto overflow-y-hidden align-middle"
      : "";
  return (
    <span data-formula translate="no" className={`relative ${shape}`}>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true" data-math="" className="select-none">
        {createMathElement(math, {})}
      </span>
    </span>
  );
}

/** Whether what typesets formulas is there, or cannot be fetched; true at once where none `isNeeded`. */
export function useTypesetting(isNeeded: boolean): boolean {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isNeeded) return;
    const finish = () => setDone(true);
    loadTypesetting().then(finish, finish);
  }, [isNeeded]);
  return isDone || !isNeeded;
}

interface TextWithFormulasProps {
  text: string;
  /** It has one line, whose end may be cut off. */
  isLine?: boolean;
}

/** `text`, whose formulas are typeset. */
export function TextWithFormulas({ text, isLine = false }: TextWithFormulasProps): ReactNode {
  const pieces = useMemo(() => {
    if (!mayHaveFormula(text)) return [text];
    return splitFormulas(isLine ? dropCutFormula(text) : text);
  }, [text, isLine]);
  return pieces.map((piece, index) => {
    if (typeof piece === "string") return piece;
    if (index > 2 * maxFormulas) return piece.text;
    const formula = isLine ? { ...piece.formula, isDisplay: false } : piece.formula;
    // biome-ignore lint/suspicious/noArrayIndexKey: a formula has no state of its own
    return <ShownFormula key={index} text={piece.text} formula={formula} />;
  });
}
