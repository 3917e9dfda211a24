import { DeployError, findDifference, waitUntilLive } from "./deploy-rules.ts";
import { findContractions, type Migration } from "./migration-rules.ts";

/** What the site's database says before a deployment. */
export interface DatabaseState {
  /** Number of migrations that were applied. */
  applied: number;
  pending: readonly Migration[];
  /** Recordings that are running. */
  recordings: number;
}

type Answers = Parameters<typeof findDifference>[0];

/** What a deployment does outside of this program. Each rejects when it fails. */
export interface DeployTools {
  /** Checks the settings, and returns those that may be missing and are. */
  checkSettings(): Promise<{ unset: readonly string[] }>;
  readDatabase(): Promise<DatabaseState>;
  /** Applies the pending migrations to a database that nobody uses. Returns what that was. */
  checkMigrations(state: DatabaseState): Promise<string>;
  build(): Promise<{ pageVersion: string }>;
  /** Applies the pending migrations, and sets what the database's role needs. */
  migrate(state: DatabaseState): Promise<void>;
  /** Uploads the worker and the page; returns the worker's version. Where it fails, that version may be deployed. */
  deploy(): Promise<string>;
  /** The deployed version, by Cloudflare; null if there are several. */
  readDeployed(): Promise<string | null>;
  rollBack(workerVersion: string): Promise<void>;
  fetchRelease(): Promise<Answers>;
  /** Asks the person who deploys; true where nobody can be asked. */
  confirm(): Promise<boolean>;
  wait(ms: number): Promise<void>;
  print(line: string): void;
}

/** The version that is served, or null if the site does not answer as a healthy one does. */
interface Served {
  workerVersion: string;
  pageVersion: string;
}

/**
 * One deployment: says what it will do, tries the migrations elsewhere, migrates, deploys, and rolls back to the version
 * before if the new one is not healthy. Nothing is changed before the migrations have been tried.
 *
 * @param hasConsent of the person who deploys, to what a roll-back cannot undo.
 * @throws DeployError when the site is not at the new version; the message says at which one it is.
 */
export async function deploySite(tools: DeployTools, hasConsent: boolean): Promise<void> {
  const { print } = tools;
  print("\n— settings");
  const { unset } = await tools.checkSettings();
  const served = await readServed(tools);
  const state = await tools.readDatabase();

  print("\n— plan");
  const contractions = findContractions(state.pending);
  for (const line of describePlan({ served, unset, ...state })) print(line);
  for (const { migration, what, isExplained } of contractions)
    print(`  ${migration} ${what}${isExplained ? ": no roll-back after it" : ""}`);
  if (contractions.some(({ isExplained }) => !isExplained))
    throw new DeployError(
      "The deployed version must work with the new schema. Deploy the code that no longer needs the old one first, " +
        'and say so in the migration ("-- contract: why"). Nothing was changed.',
    );
  if (contractions.length > 0 && !hasConsent)
    throw new DeployError(
      'The version before may not work after these migrations. "npm run deploy -- --yes" deploys all the same. ' +
        "Nothing was changed.",
    );
  if (!hasConsent && !(await tools.confirm())) throw new DeployError("Nothing was changed.");

  print("\n— build");
  const { pageVersion } = await tools.build();
  if (state.pending.length > 0) {
    print("\n— migrations, on a copy");
    print(`They apply to ${await tools.checkMigrations(state)}.`);
  }
  print("\n— database");
  await tools.migrate(state);
  print("\n— deployment");
  const workerVersion = await tools
    .deploy()
    .catch((error: unknown) => returnTo(tools, { served, error }));
  print("\n— health");
  const release = { workerVersion, pageVersion };
  await waitUntilLive(release, tools).catch((error: unknown) => rollBack(tools, { served, error }));
  print(`\nDeployed: the site is at version ${workerVersion} (page ${pageVersion}).`);
}

async function readServed({ fetchRelease }: DeployTools): Promise<Served | null> {
  const answers = await fetchRelease().catch(() => null);
  const { body } = answers?.health ?? {};
  const version = typeof body === "object" && body && "version" in body ? body.version : null;
  if (!answers || typeof version !== "string") return null;
  const served = { workerVersion: version, pageVersion: answers.pageVersion };
  return findDifference(answers, served) === null ? served : null;
}

/** What will happen, and what it means for those who use the site now. */
function describePlan({
  served,
  unset,
  pending,
  recordings,
}: DatabaseState & { served: Served | null; unset: readonly string[] }): string[] {
  return [
    served
      ? `Served now: ${served.workerVersion} (page ${served.pageVersion}); a failed deployment returns to it.`
      : "Served now: nothing that is healthy; there is no version to return to.",
    pending.length === 0
      ? "Migrations: none."
      : `Migrations: ${pending.map(({ name }) => name).join(", ")}. They stay after a roll-back.`,
    unset.length === 0 ? "Settings: all are set." : `Not set, as they may be: ${unset.join(", ")}.`,
    recordings === 0
      ? "Recordings: none is running."
      : `Recordings: ${recordings} are running. Their sockets close once; browsers connect again at once and send what is owed.`,
  ];
}

interface Failure {
  served: Served | null;
  error: unknown;
}

const toMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** After an upload that has failed, perhaps when the new version got requests already. @throws DeployError always */
async function returnTo(tools: DeployTools, { served, error }: Failure): Promise<never> {
  const deployed = await tools.readDeployed().catch(() => null);
  if (served && deployed === served.workerVersion)
    throw new DeployError(`${toMessage(error)} The site is still at version ${deployed}.`);
  return rollBack(tools, { served, error });
}

/** @throws DeployError always: the deployment has failed. */
async function rollBack(tools: DeployTools, { served, error }: Failure): Promise<never> {
  const problem = toMessage(error);
  if (!served) throw new DeployError(problem);
  tools.print(`${problem}\n\n— roll-back to ${served.workerVersion}`);
  try {
    await tools.rollBack(served.workerVersion);
    await waitUntilLive(served, tools);
  } catch (cause) {
    throw new DeployError(
      "The deployment has failed, and the roll-back has failed too: " +
        `${toMessage(cause)} Cloudflare does not roll back over a migration of Durable ` +
        "Object classes: correct the new version and deploy it.",
    );
  }
  throw new DeployError(
    `The deployment has failed. The site is at version ${served.workerVersion} again, with the new database schema.`,
  );
}
