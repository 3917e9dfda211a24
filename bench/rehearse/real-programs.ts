import { readFile, writeFile } from "node:fs/promises";
import { prepareBuild } from "#bench/build.ts";
import { type ProgramPart, programParts } from "./real/program-parts.ts";
import { startProofSite } from "./real/program-site.ts";

const proofFile = "docs/proof.md";
const resultMaxLength = 300;

const head = `# Proof

What \`npm run rehearse -- real --part=programs\` found: programs that others wrote, on this machine, with the product. A row is
written when its part was run, and kept while the part is not there. The speech server and the language model have their
figures in [benchmarks.md](benchmarks.md).

| Part | Version | What was tried | Result | Date |
| --- | --- | --- | --- | --- |
`;

/**
 * `npm run rehearse -- real --part=programs [--only=WORDS] [--build=FOLDER]`: runs the product with programs of other authors,
 * each if it is there, says what to install for the others, and writes docs/proof.md. Takes about two minutes.
 */
export async function rehearseRealPrograms(getOption: (name: string) => string | undefined) {
  const only = getOption("only") ?? "";
  const chosen = programParts.filter(({ name }) => name.includes(only));
  const folder = getOption("build");
  const build = folder ? { buildDir: folder, close: async () => {} } : await prepareBuild();
  const rows = await readRows();
  let isGood = chosen.length > 0;
  const site = await startProofSite(build.buildDir);
  try {
    for (const part of chosen) {
      const version = await part.findVersion();
      if (version === null) {
        console.log(`${part.name} is not there: ${part.install}`);
        continue;
      }
      const { result, isDone } = await runPart(part, () => part.run(site));
      isGood &&= isDone;
      const date = new Date().toISOString().slice(0, 10);
      rows.set(part.name, [part.name, version, part.tried, result, date]);
      console.log(`${part.name} ${version}: ${result}`);
    }
  } finally {
    await site.close();
    await build.close();
  }
  const ordered = programParts.flatMap(({ name }) => {
    const row = rows.get(name);
    return row ? [row] : [];
  });
  const lines = ordered.map((cells) => `| ${cells.join(" | ")} |`);
  await writeFile(proofFile, `${head}${lines.join("\n")}\n`);
  return isGood;
}

async function runPart({ name }: ProgramPart, run: () => Promise<string>) {
  try {
    return { result: toCell(await run()), isDone: true };
  } catch (failure) {
    const text = failure instanceof Error ? failure.message : String(failure);
    console.error(`${name}: ${text}`);
    return { result: `**failed**: ${toCell(text)}`, isDone: false };
  }
}

const toCell = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, resultMaxLength);

/** The rows of the file, by part. */
async function readRows(): Promise<Map<string, string[]>> {
  const text = await readFile(proofFile, "utf8").catch(() => "");
  const rows = text.split("\n").filter((line) => /^\| (?!Part|---)/.test(line));
  return new Map(
    rows.map((line) => {
      const cells = line.slice(2, -2).split(" | ");
      return [cells[0] ?? "", cells];
    }),
  );
}
