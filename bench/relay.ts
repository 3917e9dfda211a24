import { usageFlushIntervalMs } from "#shared/limits.ts";
import { prepareBuild } from "./build.ts";
import { type CostPlan, measureCost } from "./relay/cost.ts";
import { type HostilePlan, measureHostile } from "./relay/hostile.ts";

/**
 * `npm run bench:relay [-- --hostile] [--quick | --smoke | --recordings=N] [--audio=A] [directory]`: the latency
 * that the relay adds, and its CPU and memory; with `--hostile`, the latency during an attack. Uses the build in
 * `directory`, or a new one. `--quick`: shorter. `--recordings=N`: with N recordings only. `--audio=A`: with `base64`,
 * `binary` or `opus` only. `--smoke`: both, in seconds; the figures are meaningless. Fails after its tables if a word,
 * an acknowledgement or a sentence's translation is missing.
 */
const has = (option: string) => process.argv.includes(`--${option}`);
const getOption = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const recordings = getOption("recordings");

/** The interval of a room's ledger writes; recordings start evenly spread over one interval. */
const flushPeriodMs = usageFlushIntervalMs;
const audio = getOption("audio");
const audios = (["base64", "binary", "opus"] as const).filter((one) => !audio || one === audio);
const costPlan: CostPlan = has("smoke")
  ? {
      counts: [2],
      audios: ["binary", "opus"],
      measureMs: 1_000,
      openOverMs: 200,
      openRoomsOverMs: 200,
    }
  : has("quick")
    ? { counts: [1, 20], audios, measureMs: 5_000, openOverMs: 2_000, openRoomsOverMs: 2_000 }
    : {
        counts: recordings ? [Number(recordings)] : [1, 20, 100, 300],
        audios,
        measureMs: flushPeriodMs,
        openOverMs: 3_000,
        openRoomsOverMs: flushPeriodMs,
      };
const hostilePlan: HostilePlan = has("smoke")
  ? { recordings: 2, aloneMs: 1_500, attackedMs: 3_000, afterMs: 500 }
  : has("quick")
    ? { recordings: 5, aloneMs: 10_000, attackedMs: 20_000, afterMs: 5_000 }
    : { recordings: 5, aloneMs: 30_000, attackedMs: 60_000, afterMs: 20_000 };

const faults: string[] = [];
const { buildDir, close } = await prepareBuild();
try {
  const measures = [
    ...(has("smoke") || !has("hostile") ? [() => measureCost(buildDir, costPlan)] : []),
    ...(has("smoke") || has("hostile") ? [() => measureHostile(buildDir, hostilePlan)] : []),
  ];
  for (const measure of measures) {
    const result = await measure();
    console.log(result.report);
    faults.push(...result.faults);
  }
} finally {
  await close();
}
if (faults.length > 0)
  throw new Error(`${faults.length} answers are missing: ${faults.slice(0, 5).join("; ")}`);
