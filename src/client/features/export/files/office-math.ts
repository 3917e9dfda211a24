import { BuilderElement, Math as OfficeMath, type XmlComponent } from "docx";
import type { Formula } from "#client/lib/formulas.ts";
import type { MathElement, MathNode, typesetFormula } from "#client/lib/typeset.ts";

/**
 * Formulas as Word has them: Office Math, of MathML.
 *
 * Source: ECMA-376 part 1, chapter 22.1.
 */

/** Text of a run, with its white space. */
class RunText extends BuilderElement {
  constructor(text: string) {
    super({ name: "m:t", attributes: { space: { key: "xml:space", value: "preserve" } } as never });
    this.root.push(text);
  }
}

const create = (name: string, ...children: readonly XmlComponent[]): XmlComponent =>
  new BuilderElement({ name: `m:${name}`, children });

const createValue = (name: string, value: string | number): XmlComponent =>
  new BuilderElement({
    name: `m:${name}`,
    attributes: { value: { key: "m:val", value } } as never,
  });

type Look = "italic" | "upright" | "text";

/** A run; `upright` for names of functions. */
const createRun = (text: string, look: Look = "italic"): XmlComponent =>
  create(
    "r",
    ...(look === "italic"
      ? []
      : [create("rPr", look === "text" ? createValue("nor", 1) : createValue("sty", "p"))]),
    new RunText(text),
  );

/** An argument that is empty would be shown as a box to fill in. */
const createArgument = (name: string, nodes: readonly MathNode[]): XmlComponent => {
  const children = convert(nodes);
  return create(name, ...(children.length > 0 ? children : [createRun("\u200b")]));
};

const getText = (node: MathNode | undefined): string =>
  node === undefined ? "" : typeof node === "string" ? node : node.children.map(getText).join("");

const isElement = (node: MathNode | undefined, ...names: string[]): node is MathElement =>
  typeof node === "object" && names.includes(node.name);

/** The groups of MathML that have no look of their own. */
const groups = ["math", "mrow", "mstyle", "mpadded"];

/** The brackets of a group that grow with it. */
function findBrackets({ children }: MathElement): readonly [string, string] | null {
  const [first, last] = [children[0], children.at(-1)];
  const isFence = (node: MathNode | undefined, form: string): node is MathElement =>
    isElement(node, "mo") &&
    node.attributes.fence === "true" &&
    node.attributes.minsize === undefined &&
    (node.attributes.form ?? form) === form;
  if (children.length < 2 || !isFence(first, "prefix") || !isFence(last, "postfix")) return null;
  return first.attributes.stretchy === "false" ? null : [getText(first), getText(last)];
}

/** `nodes` without the groups that have no look of their own. */
const flatten = (nodes: readonly MathNode[]): MathNode[] =>
  nodes.flatMap((node) =>
    isElement(node, ...groups) && !findBrackets(node) ? flatten(node.children) : [node],
  );

const largeOperators = /^[∑∏∐∫∬∭∮∯∰⋃⋂⋁⋀⨀⨁⨂⨄⨆]$/;
const scripts = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
/** What ends the operand of a large operator. */
const operandEnds = /^[=<>≤≥≠≈≡∼≃≅→⇒⇔∈∉⊂⊆,;+−±]$/;

/** Where the limits of a script are. */
const getLimits = ({ name, children }: MathElement) => {
  const [, second, third] = children;
  const isUpper = name === "msup" || name === "mover";
  return { lower: isUpper ? undefined : second, upper: isUpper ? second : third };
};

const listNodes = (node: MathNode | undefined): MathNode[] => (node === undefined ? [] : [node]);

function createLargeOperator(node: MathElement, operand: readonly MathNode[]): XmlComponent {
  const { lower, upper } = getLimits(node);
  return create(
    "nary",
    create(
      "naryPr",
      createValue("chr", getText(flatten(node.children.slice(0, 1))[0])),
      createValue("limLoc", node.name.startsWith("ms") ? "subSup" : "undOvr"),
      createValue("subHide", lower === undefined ? 1 : 0),
      createValue("supHide", upper === undefined ? 1 : 0),
    ),
    createArgument("sub", listNodes(lower)),
    createArgument("sup", listNodes(upper)),
    createArgument("e", operand),
  );
}

function convert(nodes: readonly MathNode[]): XmlComponent[] {
  const flat = flatten(nodes);
  const result: XmlComponent[] = [];
  for (let at = 0; at < flat.length; at += 1) {
    const node = flat[at];
    const isLarge =
      isElement(node, ...scripts) &&
      largeOperators.test(getText(flatten(node.children.slice(0, 1))[0]));
    if (!isLarge) {
      if (node !== undefined) result.push(...convertNode(node));
      continue;
    }
    const found = flat.findIndex(
      (other, index) => index > at && isElement(other, "mo") && operandEnds.test(getText(other)),
    );
    const end = found === -1 ? flat.length : found;
    result.push(createLargeOperator(node, flat.slice(at + 1, end)));
    at = end - 1;
  }
  return result;
}

/** Accents by the signs that MathML has for them, as combining characters. */
const accents: Readonly<Record<string, string>> = {
  ˆ: "\u0302",
  "^": "\u0302",
  "˜": "\u0303",
  "~": "\u0303",
  "¯": "\u0305",
  ˉ: "\u0305",
  "‾": "\u0305",
  "˙": "\u0307",
  "¨": "\u0308",
  ˇ: "\u030c",
  "˘": "\u0306",
  "´": "\u0301",
  "`": "\u0300",
  "→": "\u20d7",
  "⃗": "\u20d7",
};

function convertScript(node: MathElement): XmlComponent {
  const [base, second, third] = node.children;
  const argument = createArgument("e", listNodes(base));
  const sign = isElement(second, "mo") ? getText(second) : "";
  const isUpper = node.name === "mover";
  switch (node.name) {
    case "msub":
      return create("sSub", argument, createArgument("sub", listNodes(second)));
    case "msup":
      return create("sSup", argument, createArgument("sup", listNodes(second)));
    case "msubsup":
      return create(
        "sSubSup",
        argument,
        createArgument("sub", listNodes(second)),
        createArgument("sup", listNodes(third)),
      );
    case "munderover": {
      const lower = create("limLow", argument, createArgument("lim", listNodes(second)));
      return create("limUpp", create("e", lower), createArgument("lim", listNodes(third)));
    }
  }
  if (isUpper && accents[sign] !== undefined && !isElement(base, "mo"))
    return create("acc", create("accPr", createValue("chr", accents[sign])), argument);
  if (/^[⏞⏟⎴⎵]$/.test(sign))
    return create(
      "groupChr",
      create(
        "groupChrPr",
        createValue("chr", sign),
        createValue("pos", isUpper ? "top" : "bot"),
        createValue("vertJc", isUpper ? "bot" : "top"),
      ),
      argument,
    );
  return create(isUpper ? "limUpp" : "limLow", argument, createArgument("lim", listNodes(second)));
}

function convertTable({ children }: MathElement): XmlComponent {
  const rows = children.map((row) =>
    typeof row === "string" ? [] : row.children.filter((cell) => isElement(cell, "mtd")),
  );
  const width = Math.max(1, ...rows.map((cells) => cells.length));
  const getAlignment = (column: number) => {
    const className = rows.find((cells) => cells[column])?.[column]?.attributes.class ?? "";
    return className.includes("tml-left")
      ? "left"
      : className.includes("tml-right")
        ? "right"
        : "center";
  };
  const columns = Array.from({ length: width }, (_, column) =>
    create(
      "mc",
      create("mcPr", createValue("count", 1), createValue("mcJc", getAlignment(column))),
    ),
  );
  return create(
    "m",
    create("mPr", create("mcs", ...columns)),
    ...rows.map((cells) =>
      create(
        "mr",
        ...Array.from({ length: width }, (_, column) =>
          createArgument("e", cells[column]?.children ?? []),
        ),
      ),
    ),
  );
}

function convertEnclosure({ attributes, children }: MathElement): XmlComponent[] {
  const { notation = "" } = attributes;
  if (notation === "top" || notation === "bottom") {
    const position = createValue("pos", notation === "top" ? "top" : "bot");
    return [create("bar", create("barPr", position), createArgument("e", children))];
  }
  const strikes = [
    ...(notation.includes("updiagonalstrike") ? [createValue("strikeBLTR", 1)] : []),
    ...(notation.includes("downdiagonalstrike") ? [createValue("strikeTLBR", 1)] : []),
  ];
  const isBox = notation === "box" || notation === "roundedbox";
  if (!isBox && strikes.length === 0) return convert(children);
  const hidden = isBox
    ? []
    : ["hideTop", "hideBot", "hideLeft", "hideRight"].map((side) => createValue(side, 1));
  const look = create("borderBoxPr", ...hidden, ...strikes);
  return [create("borderBox", look, createArgument("e", children))];
}

/** A base with scripts on both its sides. */
function convertMultiscripts({ children }: MathElement): XmlComponent[] {
  const [base, ...others] = children;
  const at = others.findIndex((node) => isElement(node, "mprescripts"));
  const [sub, sup] = at === -1 ? others : others.slice(0, at);
  const [leftSub, leftSup] = at === -1 ? [] : others.slice(at + 1);
  const list = (node: MathNode | undefined) => (isElement(node, "none") ? [] : listNodes(node));
  const right =
    sub || sup
      ? create(
          "sSubSup",
          createArgument("e", listNodes(base)),
          createArgument("sub", list(sub)),
          createArgument("sup", list(sup)),
        )
      : null;
  if (!leftSub && !leftSup) return right ? [right] : convert(listNodes(base));
  return [
    create(
      "sPre",
      createArgument("sub", list(leftSub)),
      createArgument("sup", list(leftSup)),
      right ? create("e", right) : createArgument("e", listNodes(base)),
    ),
  ];
}

/** A space by its width, which is in em. */
function convertSpace(width = ""): XmlComponent[] {
  const em = /em$/.test(width) ? Number.parseFloat(width) : 0;
  if (em < 0.1) return [];
  return [createRun(em >= 0.9 ? "\u2003" : em > 0.25 ? "\u2005" : "\u2009")];
}

function convertNode(node: MathNode): XmlComponent[] {
  if (typeof node === "string") return node === "" ? [] : [createRun(node)];
  const { name, attributes, children } = node;
  switch (name) {
    case "mi": {
      const text = getText(node);
      const isName = attributes.mathvariant === "normal" || [...text].length > 1;
      return [createRun(text, isName ? "upright" : "italic")];
    }
    case "mn":
    case "mo": {
      // The sign between a function and its argument is not seen.
      const text = getText(node).replace(/[\u2061-\u2064]/g, "");
      return text === "" ? [] : [createRun(text, name === "mn" ? "upright" : "italic")];
    }
    case "mtext":
    case "ms":
      return [createRun(getText(node), "text")];
    case "mspace":
      return convertSpace(attributes.width);
    case "mfrac": {
      const [numerator, denominator] = children;
      const hasBar = !/^0(?:\D|$)/.test(attributes.linethickness ?? "");
      return [
        create(
          "f",
          create("fPr", createValue("type", hasBar ? "bar" : "noBar")),
          createArgument("num", listNodes(numerator)),
          createArgument("den", listNodes(denominator)),
        ),
      ];
    }
    case "msqrt":
      return [
        create(
          "rad",
          create("radPr", createValue("degHide", 1)),
          create("deg"),
          createArgument("e", children),
        ),
      ];
    case "mroot": {
      const [base, degree] = children;
      return [
        create(
          "rad",
          createArgument("deg", listNodes(degree)),
          createArgument("e", listNodes(base)),
        ),
      ];
    }
    case "mtable":
      return [convertTable(node)];
    case "menclose":
      return convertEnclosure(node);
    case "mphantom":
      return [
        create("phant", create("phantPr", createValue("show", 0)), createArgument("e", children)),
      ];
    case "mmultiscripts":
      return convertMultiscripts(node);
  }
  if (scripts.includes(name)) return [convertScript(node)];
  const brackets = findBrackets(node);
  if (!brackets) return convert(children);
  const [begin, end] = brackets;
  return [
    create(
      "d",
      create("dPr", createValue("begChr", begin), createValue("endChr", end)),
      createArgument("e", children.slice(1, -1)),
    ),
  ];
}

/** `formula` for a paragraph; null where it cannot be typeset. `isAlone`: nothing else is in the paragraph. */
export function createOfficeMath(
  formula: Formula,
  isAlone: boolean,
  typeset: typeof typesetFormula,
): OfficeMath | null {
  const math = typeset(formula);
  if (!math) return null;
  const office = new OfficeMath({ children: convert([math]) as never });
  // A paragraph takes it as it takes a formula within its text.
  return formula.isDisplay && isAlone ? (create("oMathPara", office) as OfficeMath) : office;
}
