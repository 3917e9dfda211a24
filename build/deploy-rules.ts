import * as z from "zod";
import { parseModelUrl } from "#client/models/model-source.ts";
import { listMissingSettings, type SettingName } from "#worker/settings.ts";

/** Settings that change what the site offers or shows, and that may be missing. */
export const optionalSettings: readonly SettingName[] = [
  "METRICS_SECRET",
  "SECURITY_CONTACT",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET_KEY",
];

// The decisions of `npm run deploy`, without network and files.

/** The deployment cannot continue; the message says what to do. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}

/**
 * Checks that all settings for a deployment exist, and returns the site's origin and the models' source.
 *
 * @param settings names of the worker's secrets, the `[vars]` of wrangler.toml, and the environment of the
 *   person who deploys.
 * @throws DeployError with the names of missing settings; never with values.
 */
export function checkSettings(settings: {
  secrets: readonly string[];
  vars: Record<string, unknown>;
  environment: Record<string, string | undefined>;
}): { origin: string; modelUrl: string } {
  const { secrets, vars, environment } = settings;
  const isSet = (name: SettingName) => secrets.includes(name) || name in vars;
  const problems: string[] = [];
  const missing = listMissingSettings(isSet, "production");
  if (missing.length > 0)
    problems.push(
      "The worker lacks these settings (docs/deploy.md says what they are). Set each with",
      ...missing.map((name) => `  npm run wrangler -- secret put ${name}`),
    );
  if (!environment.DATABASE_URL)
    problems.push("DATABASE_URL is missing in your environment: the migrations need it.");
  const origin = environment.APP_ORIGIN ?? vars.APP_ORIGIN;
  if (typeof origin !== "string" || !/^https:\/\/[^/]+$/.test(origin))
    problems.push(
      "APP_ORIGIN (https://…, nothing after the host) is missing in your environment and in [vars] " +
        "of wrangler.toml: the health check asks there.",
    );
  const { modelUrl, problem } = readModelUrl(vars, environment);
  if (problem) problems.push(problem);
  if (secrets.includes("SPEECH_MODEL_URL"))
    problems.push(
      "SPEECH_MODEL_URL is no secret: the build reads it from your environment or from [vars] of wrangler.toml.",
    );
  if (problems.length > 0) throw new DeployError(problems.join("\n"));
  return { origin: String(origin), modelUrl };
}

/** The setting of the environment or of `[vars]`, with what is wrong with it. */
function readModelUrl(
  vars: Record<string, unknown>,
  environment: Record<string, string | undefined>,
) {
  const setting = environment.SPEECH_MODEL_URL || vars.SPEECH_MODEL_URL;
  try {
    const { url } = parseModelUrl(setting === undefined ? undefined : String(setting));
    return { modelUrl: url, problem: null };
  } catch (error) {
    return { modelUrl: "", problem: error instanceof Error ? error.message : String(error) };
  }
}

const secretList = z.array(z.object({ name: z.string() }));

/**
 * Parses the names in the output of `wrangler secret list --format json`.
 *
 * @throws DeployError
 */
export function parseSecretNames(printed: string): string[] {
  try {
    return secretList.parse(JSON.parse(printed)).map(({ name }) => name);
  } catch {
    throw new DeployError(
      'wrangler does not list the secrets. Is it logged in ("npm run wrangler -- login")?',
    );
  }
}

const deployEntry = z.object({ type: z.literal("deploy"), version_id: z.string() });

/**
 * Finds the id of the deployed version in the file that wrangler writes to WRANGLER_OUTPUT_FILE_PATH.
 *
 * @throws DeployError
 */
export function parseVersionId(lines: string): string {
  for (const line of lines.split("\n").filter((text) => text.trim() !== "")) {
    const entry = deployEntry.safeParse(JSON.parse(line));
    if (entry.success) return entry.data.version_id;
  }
  throw new DeployError("wrangler does not say which version it deployed.");
}

const deployment = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
});

/**
 * Parses the version that gets all requests in the output of `wrangler deployments status --json`; null if several share
 * them.
 *
 * @throws DeployError
 */
export function parseDeployedVersion(printed: string): string | null {
  try {
    const { versions } = deployment.parse(JSON.parse(printed));
    return versions.find(({ percentage }) => percentage === 100)?.version_id ?? null;
  } catch {
    throw new DeployError("wrangler does not say which version is deployed.");
  }
}

/** The expected versions: the worker's id, and the client's `version.txt`. */
interface Release {
  workerVersion: string;
  pageVersion: string;
}

const health = z.object({ status: z.literal("ok"), version: z.string().nullable() });

/** The first difference between the answers and `release`, or null if the release is live. */
export function findDifference(
  answers: { health: { status: number; body: unknown }; pageVersion: string },
  release: Release,
): string | null {
  const { status, body } = answers.health;
  const parsed = health.safeParse(body);
  if (status !== 200 || !parsed.success) return `/api/health answers ${status}`;
  if (parsed.data.version !== release.workerVersion)
    return `/api/health is of version ${parsed.data.version}, not ${release.workerVersion}`;
  if (answers.pageVersion !== release.pageVersion)
    return `/version.txt is not ${release.pageVersion}`;
  return null;
}

const intervalMs = 3_000;
const attempts = 40;

/**
 * Checks every 3 seconds, up to 40 times, until `release` is live.
 *
 * @throws DeployError with the last difference.
 */
export async function waitUntilLive(
  release: Release,
  {
    fetchRelease,
    wait,
  }: {
    /** Rejects if there is no answer. */
    fetchRelease(): Promise<Parameters<typeof findDifference>[0]>;
    wait(ms: number): Promise<void>;
  },
): Promise<void> {
  let difference: string | null = null;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await wait(intervalMs);
    difference = await fetchRelease().then(
      (answers) => findDifference(answers, release),
      (error: unknown) => `no answer (${error instanceof Error ? error.message : String(error)})`,
    );
    if (difference === null) return;
  }
  throw new DeployError(
    `The release is deployed and not healthy: ${difference}. "npm run wrangler -- tail" shows the log, ` +
      '"npm run wrangler -- rollback" brings the version before it back.',
  );
}
