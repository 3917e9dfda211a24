import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import type { Row } from "./recording.ts";

const page = "docs/reliability.md";
const begin = "<!-- The table is written by `WRITE=1 npm run test:faults`. -->";
const end = "<!-- End of the table. -->";

interface Line {
  test: TestCase;
  row: Row;
  hasPassed: boolean;
}

const titles = [
  "Fault",
  "Engine",
  "Codec",
  "Words said",
  "Kept",
  "Lost",
  "Twice",
  "Captured, s",
  "Acknowledged, s",
  "Missing, s",
  "Translated",
  "Another's",
  "What the person was told",
  "Measured",
  "",
];

/** Prints the table of the faults. `WRITE=1`: its lines replace those of the same runs in docs/reliability.md. */
export default class TableReporter implements Reporter {
  #tests: TestCase[] = [];
  readonly #lines: Line[] = [];
  readonly #without: string[] = [];

  onBegin(_: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  onTestEnd(test: TestCase, { attachments, status }: TestResult): void {
    const body = attachments.find(({ name }) => name === "row")?.body;
    const hasPassed = status === "passed";
    if (body) this.#lines.push({ test, row: JSON.parse(String(body)), hasPassed });
    else if (status !== "skipped") this.#without.push(test.title);
  }

  onEnd(): void {
    const inOrder = this.#lines.toSorted(
      (a, b) => this.#tests.indexOf(a.test) - this.#tests.indexOf(b.test),
    );
    const lines = inOrder.map(formatLine);
    console.log(`\n${formatTable(lines)}`);
    for (const title of this.#without) console.log(`Not measured: ${title}.`);
    if (process.env.WRITE) writeFileSync(page, mergeLines(readFileSync(page, "utf8"), lines));
  }
}

const joinCells = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** Lines of the same fault stand together. */
function formatTable(lines: readonly string[]): string {
  const faults = Map.groupBy(lines, (line) => line.split(" | ")[0]);
  const rule = titles.map(() => "---");
  return [joinCells(titles), joinCells(rule), ...[...faults.values()].flat()].join("\n");
}

const today = new Date().toISOString().slice(0, 10);
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();

function formatLine({ row, hasPassed }: Line): string {
  const numbers = [row.said, row.kept, row.lostWords, row.duplicates].map(String);
  const seconds = [row.captured, row.acknowledged, row.missing].map((value) => value.toFixed(1));
  return joinCells([
    row.fault,
    row.engine,
    row.codec === "opus" ? "Opus" : "PCM",
    ...numbers,
    ...seconds,
    ...formatTranslations(row),
    row.told.join("; ") || "–",
    `${today}, ${commit}`,
    hasPassed ? "" : "**failed**",
  ]);
}

const formatTranslations = ({ translations }: Row): string[] =>
  translations === null
    ? ["–", "–"]
    : [
        `${translations.translated} of ${translations.rows}${translations.left > 0 ? `, ${translations.left} left` : ""}`,
        String(translations.foreign),
      ];

/** The page `text` with `lines` in place of earlier ones of the same fault, engine and codec. */
function mergeLines(text: string, lines: readonly string[]): string {
  const getRun = (line: string) => line.split(" | ").slice(0, 3).join();
  const [before = "", rest = ""] = text.split(begin);
  const [table = "", after = ""] = rest.split(end);
  const earlier = table.split("\n").filter((line) => /^\| (?!---|Fault )/.test(line));
  const runs = new Map([...earlier, ...lines].map((line) => [getRun(line), line]));
  return `${before}${begin}\n\n${formatTable([...runs.values()])}\n\n${end}${after}`;
}
