import { existsSync } from "node:fs";
import { getBuildArgument } from "./build.ts";
import { measureFirstVisits } from "./bundle-measure.ts";

/**
 * `npm run bench:bundle [directory]`: measures the JavaScript of the first visit to each page of the build in
 * `directory` (default: `dist`). Fails if a page exceeds its limit, except with `--smoke`.
 */
const smoke = process.argv.includes("--smoke");
const buildDir = getBuildArgument() ?? "dist";
if (!existsSync(buildDir)) throw new Error(`There is no ${buildDir}: run \`npm run build\` first`);

const kb = (bytes: number) => (bytes / 1_000).toFixed(1);
const visits = measureFirstVisits(buildDir).sort((a, b) => a.path.localeCompare(b.path));

console.log("| page | scripts | JavaScript, KB gzip | limit, KB | |");
console.log("| --- | --- | --- | --- | --- |");
for (const { path, scripts, bytes, limit } of visits) {
  const verdict = bytes <= limit ? "met" : "**missed**";
  console.log(`| ${path} | ${scripts.length} | ${kb(bytes)} | ${kb(limit)} | ${verdict} |`);
}
if (!smoke && visits.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;
