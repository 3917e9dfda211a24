import { prepareBuild } from "#bench/build.ts";
import { writeProof } from "./proof.ts";
import type { ProgramPart } from "./real/program-part.ts";
import { programParts } from "./real/program-parts.ts";
import { startProofSite } from "./real/program-site.ts";

/**
 * `npm run rehearse -- real --part=programs [--only=WORDS] [--build=FOLDER]`: runs the product with programs of other authors,
 * each if it is there, says what to install for the others, and writes docs/proof.md. Takes about three minutes.
 */
export async function rehearseRealPrograms(getOption: (name: string) => string | undefined) {
  const only = getOption("only") ?? "";
  const chosen = programParts.filter(({ name }) => name.includes(only));
  const folder = getOption("build");
  const build = folder ? { buildDir: folder, close: async () => {} } : await prepareBuild();
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
      await writeProof({ part: part.name, version, tried: part.tried, result });
      console.log(`${part.name} ${version}: ${result}`);
    }
  } finally {
    await site.close();
    await build.close();
  }
  return isGood;
}

async function runPart({ name }: ProgramPart, run: () => Promise<string>) {
  try {
    return { result: await run(), isDone: true };
  } catch (failure) {
    const text = failure instanceof Error ? failure.message : String(failure);
    console.error(`${name}: ${text}`);
    return { result: `**failed**: ${text}`, isDone: false };
  }
}
