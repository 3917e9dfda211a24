import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
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
  ...["Fault", "Engine", "Codec", "Words said", "Kept", "Lost", "Twice"],
  ...["Captured, s", "Acknowledged, s", "Missing, s", "What the person was told", ""],
];

/** Prints the table of the faults; with `WRITE=1` also into docs/reliability.md. */
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
    const table = this.#format();
    console.log(`\n${table}`);
    if (process.env.WRITE) write(table);
  }

  #format(): string {
    const inOrder = this.#lines.toSorted(
      (a, b) => this.#tests.indexOf(a.test) - this.#tests.indexOf(b.test),
    );
    const faults = Map.groupBy(inOrder, ({ row }) => row.fault);
    const lines = [...faults.values()].flat().map(formatLine);
    const rule = titles.map(() => "---");
    const failed = this.#without.map((title) => `\nNot measured: ${title}.`);
    return (
      [titles, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n") +
      failed.join("")
    );
  }
}

function formatLine({ row, hasPassed }: Line): string[] {
  const numbers = [row.said, row.kept, row.lostWords, row.duplicates];
  const seconds = [row.captured, row.acknowledged, row.missing].map((value) => value.toFixed(1));
  const codec = row.codec === "opus" ? "Opus" : "PCM";
  const told = row.told.join("; ") || "–";
  return [
    row.fault,
    row.engine,
    codec,
    ...numbers.map(String),
    ...seconds,
    told,
    hasPassed ? "" : "**failed**",
  ];
}

function write(table: string): void {
  const text = readFileSync(page, "utf8");
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const where = `${date}, commit ${commit}, ${cpus().length} cores`;
  const [before = "", rest = ""] = text.split(begin);
  const [, after = ""] = rest.split(end);
  writeFileSync(page, `${before}${begin}\n\n### ${where}\n\n${table}\n\n${end}${after}`);
}
