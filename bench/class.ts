import { prepareBuild } from "./build.ts";
import { type ClassPlan, measureClass } from "./class/measure.ts";
import { measureUnread, type UnreadPlan } from "./class/unread.ts";

/**
 * `npm run bench:class [-- --quick | --smoke] [directory]`: one recording that many read along in four languages: the
 * time from a word at the recorder to the readers, CPU and memory for each reader, and what sharing costs the recorder,
 * beside a plain Node fan-out. Then what readers that never read cost, which must be little. Uses the build in
 * `directory`, or a new one. `--smoke`: in seconds; the figures are meaningless. `--unread`: the second part alone. Fails
 * after its table if a word, an acknowledgement or a translation is missing.
 */
const has = (option: string) => process.argv.includes(`--${option}`);

const plan: ClassPlan = has("smoke")
  ? { counts: [2], wordsPerRow: 4, warmUpMs: 500, measureMs: 1_500, openOverMs: 100 }
  : has("quick")
    ? { counts: [1, 50], wordsPerRow: 20, warmUpMs: 2_000, measureMs: 8_000, openOverMs: 1_000 }
    : {
        counts: [1, 50, 300, 1_000],
        wordsPerRow: 20,
        warmUpMs: 3_000,
        measureMs: 30_000,
        openOverMs: 6_000,
      };

const unreadPlan: UnreadPlan = has("smoke")
  ? { hasBaselines: false, readers: 20, textLength: 300_000, saidLength: 300_000, maxMiB: 40 }
  : { hasBaselines: true, readers: 120, textLength: 5_800_000, saidLength: 500_000, maxMiB: 40 };

const { buildDir, close } = await prepareBuild();
try {
  if (!has("unread")) {
    const { report, faults } = await measureClass(buildDir, plan);
    console.log(report);
    if (faults.length > 0) throw new Error(`Answers are missing: ${faults.join("; ")}`);
  }
  console.log(await measureUnread(buildDir, unreadPlan));
} finally {
  await close();
}
