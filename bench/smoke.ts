import { spawn } from "node:child_process";
import { once } from "node:events";
import { prepareBuild } from "./build.ts";

/**
 * `npm run bench:smoke [directory]`: runs every benchmark for some seconds on one build, two at a time. It
 * checks that the benchmarks run; their figures are meaningless.
 */
const longestFirst = [
  "relay",
  "soak",
  "faults",
  "class",
  "file",
  "transcript",
  "stillness",
  "device-speech",
  "lighthouse",
  "library",
  "terms",
  "ask",
  "rehearse",
  "bundle",
  "scale",
  "api",
];
const workers = 2;

const began = performance.now();
const { buildDir, close } = await prepareBuild();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function run(name: string): Promise<void> {
  const start = performance.now();
  const args = [...process.execArgv, `bench/${name}.ts`, "--smoke", buildDir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      output += text;
    });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`bench:${name} ended with ${code}:\n${output}`);
  console.log(`${name}: ${seconds(start)}`);
  for (const line of output.split("\n")) if (line.startsWith("Left out:")) console.log(line);
}

console.log(`build: ${seconds(began)}`);
const queue = longestFirst.values();
const runQueue = async () => {
  for (const name of queue) await run(name);
};
const results = await Promise.allSettled(Array.from({ length: workers }, runQueue));
await close();
for (const result of results) if (result.status === "rejected") throw result.reason;
console.log(`all: ${seconds(began)}`);
