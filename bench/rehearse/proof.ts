import { readFile, writeFile } from "node:fs/promises";

const file = "docs/proof.md";
const resultMaxLength = 300;

const head = `# Proof

What \`npm run rehearse -- real\` found: programs that others wrote, on this machine, with the product. A row is written when its
part was run, and kept while the part is not there. [benchmarks.md](benchmarks.md) has the figures of speech servers and
models.

| Part | Version | What was tried | Result | Date |
| --- | --- | --- | --- | --- |
`;

/** What was tried with a program, and what came of it. */
export interface ProofRow {
  part: string;
  version: string;
  tried: string;
  result: string;
}

/** Writes a row of docs/proof.md, in the place of the part's earlier one. */
export async function writeProof(row: ProofRow): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  await writeFile(file, putRow(text, row, new Date().toISOString().slice(0, 10)));
}

/** `text` of the file with `row`. */
export function putRow(
  text: string,
  { part, version, tried, result }: ProofRow,
  date: string,
): string {
  const lines = text.split("\n").filter((line) => /^\| (?!Part |---)/.test(line));
  const row = `| ${[part, version, tried, result, date].map(toCell).join(" | ")} |`;
  const at = lines.findIndex((line) => line.startsWith(`| ${toCell(part)} |`));
  if (at === -1) lines.push(row);
  else lines[at] = row;
  return `${head}${lines.join("\n")}\n`;
}

/** The cells of a row of another table are divided by semicolons. */
const toCell = (text: string): string =>
  text
    .split("|")
    .map((part) => part.replaceAll(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join("; ")
    .slice(0, resultMaxLength);
