import { parseArgs } from "node:util";
import { deviceModels } from "#client/models/device-models.ts";
import { ModelError } from "#client/models/model-error.ts";
import { defaultModelUrl, parseModelUrl } from "#client/models/model-source.ts";
import { fetchModel } from "./fetch-model.ts";

/**
 * `npm run models -- NAME …`: fetches models into a folder that a site serves itself. `--to FOLDER` (default
 * `public/models`), `--from HUB` (default: the public hub, or SPEECH_MODEL_URL if that is a hub). Run again, it
 * continues what was interrupted, and checks what is there.
 */

const usage = `npm run models -- NAME … [--to public/models] [--from ${defaultModelUrl}]

Fetches models into a folder of the site. The models:
${deviceModels
  .map(
    ({ id, bytes, licence, repository }) =>
      `  ${id.padEnd(18)}${String(Math.round(bytes / 1e6)).padStart(4)} MB  ${licence}, ${repository}`,
  )
  .join("\n")}`;

function readHub(from: string | undefined) {
  const source = parseModelUrl(from ?? (process.env.SPEECH_MODEL_URL || undefined));
  if (source.kind === "hub") return source;
  if (from !== undefined) throw new Error(`${from} is a folder. --from takes the origin of a hub.`);
  return parseModelUrl();
}

const advice: Partial<Record<ModelError["reason"], string>> = {
  unreachable:
    "If this network blocks the hub, run the command on another machine and copy the folder, or name a mirror " +
    "with --from. Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.",
  cut: "Run the command again: it continues with what is missing.",
  wrong: "The file was deleted. Run the command again to fetch it once more.",
};

try {
  const { values, positionals: names } = parseArgs({
    options: { to: { type: "string", default: "public/models" }, from: { type: "string" } },
    allowPositionals: true,
  });
  const unknown = names.filter((name) => !deviceModels.some(({ id }) => id === name));
  if (unknown.length > 0) throw new Error(`There is no model ${unknown.join(", ")}.\n\n${usage}`);
  if (names.length === 0) console.log(usage);
  const source = readHub(values.from);
  for (const model of deviceModels.filter(({ id }) => names.includes(id)))
    await fetchModel(model, { source, folder: values.to, print: (line) => console.log(line) });
  if (names.length > 0 && values.to === "public/models")
    console.log(
      "Set SPEECH_MODEL_URL=/models for `npm start`, `npm run dev` and `npm run deploy`.",
    );
} catch (error) {
  const hint = error instanceof ModelError ? advice[error.reason] : undefined;
  console.error(
    [error instanceof Error ? error.message : String(error), hint ?? []].flat().join("\n"),
  );
  process.exitCode = 1;
}
