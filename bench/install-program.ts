import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Imports a package that only one benchmark needs and that is large: it is installed into `.local/programs` when it is
 * wanted for the first time, and not by `npm ci`.
 *
 * @throws where it cannot be installed
 */
export async function importProgram(name: string, version: string): Promise<unknown> {
  const folder = resolve(".local/programs", `${name}@${version}`);
  const manifest = join(folder, "node_modules", name, "package.json");
  if (!existsSync(manifest)) {
    console.error(`Installing ${name} ${version} into ${folder}`);
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", [...args, "--prefix", folder, `${name}@${version}`], { stdio: "inherit" });
  }
  const path = createRequire(manifest).resolve(name);
  return import(pathToFileURL(path).href);
}
