import temml from "temml";
import type { Formula } from "./formulas.ts";

/** A formula as MathML, without anything that could act: elements, attributes and styles of known names only. */
export interface MathElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  style: Readonly<Record<string, string>>;
  children: readonly MathNode[];
}

export type MathNode = MathElement | string;

/** Longer and deeper formulas are shown as they are written. */
const maxLength = 1_000;
const maxDepth = 30;
/** More elements than a page of formulas has: a macro can give many for one sign. */
const maxElements = 3_000;
/** The largest space, width and height, in em. */
const maxSize = 20;
const maxExpansions = 300;

/** Commands that define others, by which a short formula could become a very long one. */
const definitions =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re|provide)?newcommand|(?:re)?newenvironment|DeclareMathOperator)(?![a-zA-Z])/;

const names = new Set(
  [
    "math mrow mi mn mo mtext ms mspace mstyle mpadded mphantom menclose merror",
    "mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none",
    "mtable mtr mtd",
  ].flatMap((line) => line.split(" ")),
);

const attributeNames = new Set(
  [
    "accent accentunder columnalign columnlines columnspacing depth display displaystyle fence form height largeop",
    "linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace",
    "scriptlevel separator stretchy symmetric voffset width",
  ].flatMap((line) => line.split(" ")),
);

/** No colours: those of the theme can be read. */
const styleNames =
  /^(?:padding|border|margin|text-align|width$|vertical-align)(?!.*(?:image|color))/;
const safeValue = /^[\w\s.%,-]*$/;

/** What temml gives: elements, texts, and fragments without a name. */
interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  style?: Record<string, unknown>;
  classes?: readonly string[];
  children?: readonly TemmlNode[];
}

const toKebabCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const selectSafe = (values: Record<string, unknown>, isSafe: (name: string) => boolean) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isSafe(name) && safeValue.test(String(value)) ? [[name, String(value)]] : [],
    ),
  );

function readNode(node: TemmlNode, depth: number, count: { elements: number }): MathNode[] {
  if (node.type === undefined && node.text !== undefined) return [node.text];
  count.elements += 1;
  if (depth > maxDepth * 3 || count.elements > maxElements) throw new Error("Too large");
  const children = (node.children ?? []).flatMap((child) => readNode(child, depth + 1, count));
  if (node.type === undefined) return children;
  if (!names.has(node.type)) throw new Error(`Unknown element ${node.type}`);
  const className = (node.classes ?? []).filter((one) => /^[\w-]+$/.test(one)).join(" ");
  return [
    {
      name: node.type,
      attributes: {
        ...selectSafe(node.attributes ?? {}, (name) => attributeNames.has(name)),
        ...(className && { class: className }),
      },
      style: selectSafe(node.style ?? {}, (name) => styleNames.test(toKebabCase(name))),
      children,
    },
  ];
}

/** How deep the groups of a formula are within each other. */
function measureDepth(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [sign] of tex.matchAll(/\\?[{}[\]()]|\\(?:left|right|begin|end)(?![a-zA-Z])|[\^_]/g)) {
    if (/^(?:[{[(]|\\left|\\begin)$/.test(sign)) depth += 1;
    else if (/^(?:[}\])]|\\right|\\end)$/.test(sign)) depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** `formula` as MathML; null where it is none that can be typeset, and is shown as it is written. */
export function typesetFormula({ tex, isDisplay }: Formula): MathElement | null {
  if (tex.length > maxLength || definitions.test(tex) || measureDepth(tex) > maxDepth) return null;
  try {
    const tree: TemmlNode = temml.__renderToMathMLTree(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxExpand: maxExpansions,
      maxSize: [maxSize, maxSize],
      wrap: isDisplay ? "=" : "tex",
    });
    const [math, ...others] = readNode(tree, 0, { elements: 0 });
    return typeof math === "object" && math.name === "math" && others.length === 0 ? math : null;
  } catch {
    // The text of a model or a person, which may be no LaTeX.
    return null;
  }
}
