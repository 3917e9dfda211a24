import { percentile } from "#bench/percentiles.ts";
import type { Figures } from "./figures.ts";
import type { ImportedFile } from "./page-import.ts";
import { type Stretch, sumLengths } from "./stretches.ts";

/** The figures of one way to recognise a stream; null: this way does not give it. */
export interface Column {
  /** `import`, for example. */
  name: string;
  wordErrors: number;
  wordCount: number;
  figures: Figures | null;
  /** Of an import in the page. */
  imported: Pick<ImportedFile, "state" | "seconds"> | null;
}

const isLive = ({ name }: Column) => name.startsWith("live");
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
const seconds = (...values: readonly number[]) =>
  values.map((ms) => (ms / 1_000).toFixed(1)).join(" / ");

/** Median and 9th decile. */
const milliseconds = (values: readonly number[]) =>
  [0.5, 0.9].map((share) => percentile(values, share).toFixed(0)).join(" / ");

const countStretches = (stretches: readonly Stretch[]) =>
  stretches.length === 0 ? "0" : `${stretches.length}, ${seconds(sumLengths(stretches))} s`;

/** Rows of the table: what they say of figures, and whether only a recording has it. */
const rows: readonly {
  name: string;
  isOfLive?: true;
  show(figures: Figures): string;
}[] = [
  { name: "first text, s", isOfLive: true, show: ({ firstMs }) => seconds(...firstMs) },
  { name: "final, s", isOfLive: true, show: ({ finalMs }) => seconds(...finalMs) },
  {
    name: "rewritten of words before they were final",
    show: ({ rewrittenCount, interimCount }) => `${rewrittenCount} of ${interimCount}`,
  },
  { name: "phantom words, final / before", show: ({ phantoms }) => phantoms.join(" / ") },
  { name: "speech without words", show: ({ wordless }) => countStretches(wordless) },
  { name: "gaps that the page shows", show: ({ gaps }) => countStretches(gaps) },
  { name: "words begin off by, ms", show: ({ startMs }) => milliseconds(startMs) },
  { name: "words end off by, ms", show: ({ endMs }) => milliseconds(endMs) },
  {
    name: "a core is busy in speech",
    isOfLive: true,
    show: ({ busySpeech }) => percent(busySpeech),
  },
  {
    name: "a core is busy in silence",
    isOfLive: true,
    show: ({ busySilence }) => (Number.isNaN(busySilence) ? "–" : percent(busySilence)),
  },
  {
    name: "computing for a second of sound, s",
    show: ({ computeFactor }) => computeFactor.toFixed(2),
  },
];

/** A stream's figures as a table in Markdown. */
export function formatTable(title: string, columns: readonly Column[]): string {
  const lines = [
    {
      name: "word errors",
      cells: columns.map(({ wordErrors, wordCount }) => percent(wordErrors / wordCount)),
    },
    ...rows.map(({ name, isOfLive, show }) => ({
      name,
      cells: columns.map((column) =>
        column.figures === null || (isOfLive && !isLive(column)) ? "" : show(column.figures),
      ),
    })),
    {
      name: "from the file to its last saved word, s",
      cells: columns.map(({ imported }) => imported?.seconds.toFixed(1) ?? ""),
    },
    {
      name: "what the page says of it",
      cells: columns.map(({ imported }) => imported?.state ?? ""),
    },
  ];
  const table = [
    [title, ...columns.map(({ name }) => name)],
    ["---", ...columns.map(() => "---")],
    ...lines
      .filter(({ cells }) => cells.some((cell) => cell !== ""))
      .map(({ name, cells }) => [name, ...cells]),
  ];
  return table.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Where words of all streams lie. */
export function describePlaces(columns: readonly Column[]): string {
  const figures = columns.flatMap((column) => column.figures ?? []);
  const begin = milliseconds(figures.flatMap(({ startMs }) => startMs));
  const end = milliseconds(figures.flatMap(({ endMs }) => endMs));
  return `All streams: words begin off by ${begin} ms, and end off by ${end} ms.`;
}

export const describeWordless = ({ startMs, endMs }: Stretch): string =>
  `no words from ${seconds(startMs)} to ${seconds(endMs)} s`;
