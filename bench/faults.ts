import { spawn } from "node:child_process";
import { once } from "node:events";
import { prepareBuild } from "./build.ts";

/** `--smoke [directory]`: one of the recordings of `npm run test:faults` (tests/faults) on the build in `directory`. */
const { buildDir, close } = await prepareBuild();
const config = ["--config", "playwright.faults.config.ts"];
const child = spawn("node_modules/.bin/playwright", ["test", ...config, "--grep", "@smoke"], {
  stdio: "inherit",
  env: { ...process.env, BUILD: buildDir, E2E_BUILD: "ready", WORKERS: "1" },
});
const [code] = await once(child, "close");
await close();
process.exitCode = code === 0 ? 0 : 1;
