import { type ComponentProps, type ReactNode, use } from "react";
import Markdown, { type Components } from "react-markdown";
import { replaceLiterals } from "#client/lib/formulas.ts";
import { type MarkdownTable, splitTables } from "#client/lib/markdown-tables.ts";
import { maxFormulas, TextWithFormulas } from "#client/ui/formula.tsx";
import { OpenRowContext, parseRowLink } from "./summary-rows.ts";

/** An absolute address on the web or of a mailbox. */
const absoluteLink = /^(?:https?:\/\/|mailto:)/i;

/** Only absolute links become links: a relative one in untrusted text would point into the product. */
function Anchor({ href: written = "", children }: ComponentProps<"a">) {
  const href = written.replace(/%EE%80%8[01]/g, "");
  const openRow = use(OpenRowContext);
  const seconds = parseRowLink(href);
  if (openRow && seconds !== null)
    return (
      <button
        type="button"
        data-row-time={seconds}
        onClick={() => openRow(seconds)}
        className="touch-reach cursor-pointer rounded-s px-0.5 font-medium font-ui text-[0.9em] text-jade tabular-nums hover:bg-paper-3"
      >
        {children}
      </button>
    );
  if (!absoluteLink.test(href)) return <>{children}</>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="underline underline-offset-3 hover:decoration-2"
    >
      {children}
    </a>
  );
}

/** An element with a direction of its own: a summary in two languages may have two. */
const withDirection =
  (Element: "h3" | "h4" | "p" | "ul" | "blockquote", className: string) =>
  ({ children }: { children?: ReactNode }) => (
    <Element dir="auto" className={className}>
      {children}
    </Element>
  );

// Below the panel's own heading, an h2.
const heading = withDirection("h3", "mt-5 mb-1.5 font-semibold text-[1.05em] first:mt-0");
const minorHeading = withDirection("h4", "mt-4 mb-1 font-semibold first:mt-0");

const components: Components = {
  h1: heading,
  h2: heading,
  h3: minorHeading,
  h4: minorHeading,
  h5: minorHeading,
  h6: minorHeading,
  a: Anchor,
  p: withDirection("p", "my-2 first:mt-0 last:mb-0"),
  ul: withDirection("ul", "my-2 list-disc space-y-1 ps-5"),
  ol: ({ children, start }) => (
    <ol dir="auto" start={start} className="my-2 list-decimal space-y-1 ps-5">
      {children}
    </ol>
  ),
  blockquote: withDirection("blockquote", "my-2 border-rule border-s-2 ps-3 text-ink-2"),
  code: ({ children }) => (
    <code className="rounded-s bg-paper-3 px-1 text-[0.9em]">{children}</code>
  ),
  pre: ({ children }) => (
    <pre className="my-2 overflow-x-auto rounded-m bg-paper-2 p-3 [&_code]:bg-transparent [&_code]:p-0">
      {children}
    </pre>
  ),
  hr: () => <hr className="my-4 border-rule" />,
  // A formula, by `findFormulas`.
  data: ({ children }) => <TextWithFormulas text={String(children)} />,
};

/** Deeper nesting than people write; rendering it would take too long or overflow the stack. */
const deepNesting =
  /^((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){12})(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/gm;
const longEmphasis = /(\*{12}|_{12})[*_]+/g;

/** Longer than any summary, in characters. For some texts the parser's time is quadratic in their length. */
const maxLength = 50_000;

/**
 * Marks that the parser compares with all others of their kind: this many take a third of a second,
 * twice as many four times that.
 */
const maxMarks: readonly [RegExp, number][] = [
  [/[*_]+/g, 3_000],
  [/`+/g, 1_500],
  [/\]/g, 3_000],
  [/^[ \t]*>/gm, 1_000],
  // List items; each list's end costs more the longer the text before it is.
  [/^[ \t>]*(?:[-+*]|\d{1,9}[.)])(?=\s)/gm, 1_000],
  // Deeply nested lists.
  [/^[ \t]{40}[ \t]*(?:[-+*]|\d)/gm, 50],
  // Headings underlined with = or -.
  [/^[ \t>]*(?:=+|-+)[ \t]*$/gm, 200],
  // HTML, which is dropped.
  [/</g, 1_500],
  [/\n/g, 5_000],
  // Very long runs of backticks.
  [/`{20}/g, 20],
];

/** Of all tables: each is parsed by itself. */
const maxCells = 600;

const isOverloaded = (text: string) =>
  text.length > maxLength || maxMarks.some(([mark, max]) => (text.match(mark)?.length ?? 0) > max);

/** Characters of private use, which stand around a formula. */
const [open, close] = ["\uE000", "\uE001"];

/** Formulas come through Markdown as they are written: it would take their backslashes, underscores and stars for its own. */
function escapeFormulas(text: string): string {
  let count = 0;
  return replaceLiterals(text.replace(/[\uE000\uE001]/g, ""), ({ text: written, formula }) => {
    if (!formula) return written;
    count += 1;
    const escaped = written.replace(/[ \t]*\n[ \t]*/g, "\n").replace(/[!-/:-@[-`{-~]/g, "\\$&");
    return count > maxFormulas ? escaped : `${open}${escaped}${close}`;
  });
}

/** Of the tree that Markdown becomes; only what is used here. */
interface TreeNode {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: TreeNode[] | undefined;
}

/** Makes an element of each formula in the texts of `tree`, but not in code. */
function markFormulas(tree: TreeNode, isCode = false): void {
  tree.children = tree.children?.flatMap((node): TreeNode[] => {
    if (node.type !== "text") {
      markFormulas(node, isCode || node.tagName === "code");
      return [node];
    }
    const pieces = (node.value ?? "").split(/\uE000([^\uE000\uE001]*)\uE001/);
    return pieces.map((piece, index) => {
      const text: TreeNode = { type: "text", value: piece.replace(/[\uE000\uE001]/g, "") };
      const isFormula = index % 2 === 1 && !isCode;
      return isFormula
        ? { type: "element", tagName: "data", properties: {}, children: [text] }
        : text;
    });
  });
}

/** A plugin of the parser. */
const findFormulas = () => (tree: TreeNode) => markFormulas(tree);

/** In a cell there are no paragraphs. */
const cellComponents: Components = { ...components, p: ({ children }) => <>{children}</> };

function Cell({ text }: { text: string }) {
  return (
    <Markdown
      components={cellComponents}
      rehypePlugins={[findFormulas]}
      disallowedElements={["img"]}
      skipHtml
    >
      {text}
    </Markdown>
  );
}

function Table({ head, rows }: MarkdownTable) {
  const cellClass = "border-rule border-b px-2.5 py-1.5 text-start align-top first:ps-0";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <div tabIndex={0} className="my-3 overflow-x-auto">
      <table className="min-w-full border-collapse text-[0.95em] leading-snug">
        <thead>
          <tr>
            {head.map((text, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other
              <th key={column} dir="auto" className={`font-semibold ${cellClass}`}>
                <Cell text={text} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other
            <tr key={index}>
              {row.map((text, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other
                <td key={column} dir="auto" className={cellClass}>
                  <Cell text={text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Markdown from a model or a person. Raw HTML is dropped and images are not loaded, because the text is
 * not trusted. A text that would take too long to parse is shown as plain text.
 */
export default function SafeMarkdown({ text }: { text: string }) {
  const pieces = isOverloaded(text)
    ? null
    : splitTables(escapeFormulas(text.replace(deepNesting, "$1").replace(longEmphasis, "$1")));
  const cells = pieces?.reduce(
    (sum, piece) => (typeof piece === "string" ? sum : sum + piece.head.length * piece.rows.length),
    0,
  );
  if (!pieces || (cells ?? 0) > maxCells) return <p className="whitespace-pre-wrap">{text}</p>;
  return pieces.map((piece, index) =>
    typeof piece === "string" ? (
      <Markdown
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other
        key={index}
        components={components}
        rehypePlugins={[findFormulas]}
        disallowedElements={["img"]}
        skipHtml
      >
        {piece}
      </Markdown>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other
      <Table key={index} {...piece} />
    ),
  );
}
