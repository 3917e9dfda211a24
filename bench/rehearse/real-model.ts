import { availableParallelism, loadavg } from "node:os";
import { basename } from "node:path";
import { prepareBuild } from "#bench/build.ts";
import { writeProof } from "./proof.ts";
import {
  findModelServer,
  ModelServer,
  modelInstallSteps,
  modelServerOrigin,
} from "./real/model-server.ts";
import { startModelSite } from "./real/model-site.ts";
import { type ModelTrial, modelTrials, type TrialReport } from "./real/model-trials.ts";
import { watchModel } from "./real/model-watch.ts";

/** A long summary takes many minutes. */
const progressMs = 30_000;

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * `npm run rehearse -- real --part=model [--only=WORDS] [--words=12000] [--build=FOLDER] [--server=PATH --gguf=FILE]`:
 * translates live speech and summarises a lecture of so many words with llama.cpp and a model of 135 million parameters on this machine, through the
 * product. Its texts are worthless; that they come, and are checked, is what is rehearsed. Says what is missing and how to
 * install it. Takes about half an hour on two cores.
 */
export async function rehearseRealModel(getOption: (name: string) => string | undefined) {
  const program = await findModelServer({ server: getOption("server"), gguf: getOption("gguf") });
  if (program === null) {
    console.error(modelInstallSteps);
    return false;
  }
  const folder = getOption("build");
  const build = folder ? { buildDir: folder, close: async () => {} } : await prepareBuild();
  const words = Number(getOption("words") ?? 12_000);
  const only = getOption("only");
  const chosen = modelTrials.filter(({ name }) => !only || name.includes(only));
  if (chosen.length === 0) console.error(`No trial of the model has these words: ${only}`);
  // Without this, a signal would end the program before it has ended the server.
  const leave = () => process.exit(1);
  for (const signal of endSignals) process.once(signal, leave);
  const lines: string[] = [];
  const bad: string[] = [];
  try {
    for (const trial of chosen) {
      const server = new ModelServer(program, ["-c", "2048", ...trial.options]);
      const { figures, faults } = await runTrial(trial, {
        server,
        buildDir: build.buildDir,
        words,
      });
      if (faults.length > 0) bad.push(`${trial.name}: ${faults.join(", ")}`);
      const verdict = faults.length === 0 ? "good" : `BAD: ${faults.join("; ")}`;
      lines.push(`| ${trial.name} | ${figures.join("; ")} | ${verdict} |`);
      console.log(lines.at(-1));
    }
  } finally {
    for (const signal of endSignals) process.off(signal, leave);
    await build.close();
  }
  await writeProof({
    part: "llama.cpp",
    version: `${program.version}, ${basename(program.model, ".gguf")}`,
    tried: `live translation and a summary of ${words} words: ${chosen.map(({ name }) => name).join(", ")}`,
    result: [`${lines.length - bad.length} of ${chosen.length} trials are good`, ...bad].join("; "),
  });
  console.log(
    [
      "",
      `${new Date().toISOString().slice(0, 10)}, llama.cpp (${program.version}), ${basename(program.model, ".gguf")}, window of 2,048 tokens, Node ${process.version}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)} at the end`,
      "",
      "| trial | figures | verdict |",
      "| --- | --- | --- |",
      ...lines,
    ].join("\n"),
  );
  return chosen.length > 0 && bad.length === 0;
}

/** Runs one trial with a server and a site of its own, and ends both, also when it fails. */
async function runTrial(
  trial: ModelTrial,
  { server, buildDir, words }: { server: ModelServer; buildDir: string; words: number },
): Promise<TrialReport> {
  const closers: (() => void | Promise<void>)[] = [() => server.kill()];
  const since = performance.now();
  try {
    await server.start();
    const watch = await watchModel(modelServerOrigin);
    closers.push(watch.close);
    const site = await startModelSite(buildDir, watch.url);
    closers.push(site.close);
    const timer = setInterval(() => {
      const answered = watch.calls.filter(({ outcome }) => outcome === "answered").length;
      const seconds = Math.round((performance.now() - since) / 1_000);
      console.error(`${trial.name}: ${answered} answers in ${seconds} s`);
    }, progressMs);
    closers.push(() => clearInterval(timer));
    return await trial.run({ site, server, watch, words });
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { figures: [], faults: [fault] };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
