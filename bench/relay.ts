import { usageFlushIntervalMs } from "#shared/limits.ts";
import { prepareBuild } from "./build.ts";
import { type CostPlan, measureCost } from "./relay/cost.ts";
import { type HostilePlan, measureHostile } from "./relay/hostile.ts";

/**
 * `npm run bench:relay [-- --hostile] [--quick | --smoke] [directory]`: what the relay adds to a chunk's
 * way and what it costs; with `--hostile`, what it adds while others attack. `--quick`: shorter;
 * `--smoke`: both, seconds each, figures that say nothing. Of the build in `directory`, or of a new one.
 */
const has = (option: string) => process.argv.includes(`--${option}`);

/** A room writes to the ledger this often: the recordings begin spread over one such period. */
const period = usageFlushIntervalMs;
const encodings = ["base64", "binary"] as const;
const costPlan: CostPlan = has("smoke")
  ? {
      ...{ counts: [2], encodings: ["binary"] },
      ...{ measureMs: 1_000, openOverMs: 200, openRoomsOverMs: 200 },
    }
  : has("quick")
    ? { counts: [1, 20], encodings, measureMs: 5_000, openOverMs: 2_000, openRoomsOverMs: 2_000 }
    : {
        ...{ counts: [1, 20, 100, 300], encodings },
        ...{ measureMs: period, openOverMs: 3_000, openRoomsOverMs: period },
      };
const hostilePlan: HostilePlan = has("smoke")
  ? { recordings: 2, aloneMs: 1_500, attackedMs: 3_000, afterMs: 500 }
  : has("quick")
    ? { recordings: 5, aloneMs: 10_000, attackedMs: 20_000, afterMs: 5_000 }
    : { recordings: 5, aloneMs: 30_000, attackedMs: 60_000, afterMs: 20_000 };

const { buildDir, close } = await prepareBuild();
try {
  if (has("smoke") || !has("hostile")) console.log(await measureCost(buildDir, costPlan));
  if (has("smoke") || has("hostile")) console.log(await measureHostile(buildDir, hostilePlan));
} finally {
  await close();
}
