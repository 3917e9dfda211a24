import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { listModelOrigins, parseModelUrl } from "#client/models/model-source.ts";

/**
 * Puts the setting SPEECH_MODEL_URL into the page, and the origins of models into the Content-Security-Policy of
 * `_headers`: one build has both, so that they never differ. Fails the build if the setting is malformed.
 */
export function modelSource(setting = process.env.SPEECH_MODEL_URL || undefined): Plugin {
  const source = parseModelUrl(setting);
  return {
    name: "model-source",
    config: () => ({
      define: { SPEECH_MODEL_URL: JSON.stringify(source.url) },
    }),
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle({ dir }) {
      if (!dir) throw new Error("The build writes to no folder");
      const file = join(dir, "_headers");
      writeFileSync(file, addModelOrigins(readFileSync(file, "utf8"), listModelOrigins(source)));
    },
  };
}

const pageRule = "/*\n";
const ownOrigin = "connect-src 'self'";

/** Lets pages connect to `origins`; rules of single paths, such as a reader's page, stay as they are. */
export function addModelOrigins(headers: string, origins: readonly string[]): string {
  if (!headers.startsWith(pageRule))
    throw new Error("_headers does not begin with the page's rule");
  const ruleEnd = headers.indexOf("\n\n");
  const rule = headers.slice(0, ruleEnd);
  if (rule.split(ownOrigin).length !== 2) throw new Error(`_headers has no ${ownOrigin}`);
  return rule.replace(ownOrigin, [ownOrigin, ...origins].join(" ")) + headers.slice(ruleEnd);
}
