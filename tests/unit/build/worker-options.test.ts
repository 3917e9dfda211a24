import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeWorkerOptions } from "#build/worker-options.ts";
import { workerOptionsFile } from "#local/edge.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "dualect-options-"));
});
afterEach(() => rm(root, { recursive: true }));

it("keeps what the folder's files of settings hold out of the build", async () => {
  const directory = join(root, "dist/dualect");
  await mkdir(directory, { recursive: true });
  const userConfigPath = join(root, "wrangler.toml");
  await writeFile(userConfigPath, "");
  for (const folder of [root, directory])
    for (const name of [".env", ".dev.vars"])
      await writeFile(join(folder, name), "GUEST_TICKET_SECRET=a secret of this folder\n");
  const config = {
    configPath: userConfigPath,
    userConfigPath,
    name: "dualect",
    main: "index.js",
    compatibility_date: "2026-10-23",
    vars: { PUBLIC: "of wrangler.toml" },
  };
  await writeFile(join(directory, "wrangler.json"), JSON.stringify(config));
  await writeFile(join(directory, "index.js"), "export default {};");

  await writeWorkerOptions(directory);

  const written = await readFile(join(directory, workerOptionsFile), "utf8");
  expect(written).not.toContain("a secret of this folder");
  expect(JSON.parse(written).bindings).toEqual({ PUBLIC: "of wrangler.toml" });
});
