import { type ComponentProps, use } from "react";
import Markdown, { type Components } from "react-markdown";
import { OpenRowContext, parseRowLink } from "./summary-rows.ts";

/** The summary's headings are below the panel's own heading, an h2. */
function Heading({ children }: ComponentProps<"h1">) {
  return (
    <h3 dir="auto" className="mt-5 mb-1.5 font-semibold text-[1.05em] first:mt-0">
      {children}
    </h3>
  );
}

function MinorHeading({ children }: ComponentProps<"h1">) {
  return (
    <h4 dir="auto" className="mt-4 mb-1 font-semibold first:mt-0">
      {children}
    </h4>
  );
}

/** An absolute address on the web or of a mailbox. */
const absoluteLink = /^(?:https?:\/\/|mailto:)/i;

/** Only absolute links become links: a relative one in untrusted text would point into the product. */
function Anchor({ href = "", children }: ComponentProps<"a">) {
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

// A summary in two languages may have two directions.
const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: MinorHeading,
  h4: MinorHeading,
  h5: MinorHeading,
  h6: MinorHeading,
  a: Anchor,
  p: ({ children }) => (
    <p dir="auto" className="my-2 first:mt-0 last:mb-0">
      {children}
    </p>
  ),
  ul: ({ children }) => (
    <ul dir="auto" className="my-2 list-disc space-y-1 ps-5">
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol dir="auto" start={start} className="my-2 list-decimal space-y-1 ps-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote dir="auto" className="my-2 border-rule border-s-2 ps-3 text-ink-2">
      {children}
    </blockquote>
  ),
  code: ({ children }) => (
    <code className="rounded-s bg-paper-3 px-1 text-[0.9em]">{children}</code>
  ),
  pre: ({ children }) => (
    <pre className="my-2 overflow-x-auto rounded-m bg-paper-2 p-3 [&_code]:bg-transparent [&_code]:p-0">
      {children}
    </pre>
  ),
  hr: () => <hr className="my-4 border-rule" />,
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

const isOverloaded = (text: string) =>
  text.length > maxLength || maxMarks.some(([mark, max]) => (text.match(mark)?.length ?? 0) > max);

/**
 * Markdown from a model or a person. Raw HTML is dropped and images are not loaded, because the text is
 * not trusted. A text that would take too long to parse is shown as plain text.
 */
export default function SafeMarkdown({ text }: { text: string }) {
  if (isOverloaded(text)) return <p className="whitespace-pre-wrap">{text}</p>;
  return (
    <Markdown components={components} disallowedElements={["img"]} skipHtml>
      {text.replace(deepNesting, "$1").replace(longEmphasis, "$1")}
    </Markdown>
  );
}
