import { readMigrationFiles } from "drizzle-orm/migrator";
import { describe, expect, it } from "vitest";
import { type DeployTools, deploySite } from "#build/deploy-site.ts";
import { findContractions } from "#build/migration-rules.ts";

const answers = (worker: string, page: string) => ({
  health: { status: 200, body: { status: "ok", version: worker } },
  pageVersion: page,
});
const pending = [{ name: "0027_new", statements: ["alter table users add column a text"] }];

/** A deployment with these differences from one that succeeds, what it did in order, and what it printed. */
async function deploy(
  change: Partial<DeployTools> & { isHealthy?: boolean; hasConsent?: boolean } = {},
) {
  const { isHealthy = true, hasConsent = false, ...over } = change;
  const steps: string[] = [];
  const lines: string[] = [];
  let live = answers("v1", "p1");
  const tools: DeployTools = {
    checkSettings: async () => ({ unset: ["METRICS_SECRET"] }),
    readDatabase: async () => ({ applied: 27, pending, recordings: 3 }),
    checkMigrations: async () => "a copy",
    build: async () => ({ pageVersion: "p2" }),
    migrate: async () => {},
    async deploy() {
      if (isHealthy) live = answers("v2", "p2");
      else
        live = {
          ...answers("v2", "p2"),
          health: { status: 503, body: { status: "ok", version: "" } },
        };
      return "v2";
    },
    readDeployed: async () => "v2",
    async rollBack(version) {
      live = answers(version, "p1");
    },
    fetchRelease: async () => live,
    confirm: async () => true,
    wait: async () => {},
    print: (line) => lines.push(line),
    ...over,
  };
  const recorded = Object.fromEntries(
    Object.entries(tools).map(([name, run]) => [
      name,
      (...args: never[]) => {
        if (!["print", "wait", "fetchRelease"].includes(name)) steps.push(name);
        return (run as (...args: never[]) => unknown)(...args);
      },
    ]),
  ) as unknown as DeployTools;
  const error = await deploySite(recorded, hasConsent).then(
    () => null,
    (reason: unknown) => reason,
  );
  return {
    steps,
    printed: lines.join("\n"),
    message: error instanceof Error ? error.message : null,
  };
}

const before = ["checkSettings", "readDatabase"];
const changes = ["build", "checkMigrations", "migrate", "deploy"];

describe("a deployment", () => {
  it("says what it will do before it does it, and tries the migrations elsewhere first", async () => {
    const { steps, printed, message } = await deploy();
    expect(message).toBeNull();
    expect(steps).toEqual([...before, "confirm", ...changes]);
    const [plan = ""] = printed.split("— build");
    for (const part of ["v1", "p1", "0027_new", "METRICS_SECRET", "3 are running"])
      expect(plan).toContain(part);
    expect(printed).toContain("Deployed: the site is at version v2 (page p2).");
  });

  it("tries no migrations where there are none, and sets the role's limits all the same", async () => {
    const { steps } = await deploy({
      readDatabase: async () => ({ applied: 27, pending: [], recordings: 0 }),
    });
    expect(steps).toEqual([...before, "confirm", "build", "migrate", "deploy"]);
  });

  it("changes nothing if the person says no, and asks nobody who has said yes", async () => {
    const refused = await deploy({ confirm: async () => false });
    expect(refused.steps).toEqual([...before, "confirm"]);
    expect(refused.message).toBe("Nothing was changed.");
    expect((await deploy({ hasConsent: true })).steps).toEqual([...before, ...changes]);
  });

  it.each(["checkSettings", "readDatabase", "build", "checkMigrations", "migrate"] as const)(
    "stops when this fails: %s",
    async (name) => {
      const { steps, message } = await deploy({ [name]: () => Promise.reject(new Error("no")) });
      expect(message).toBe("no");
      expect(steps.at(-1)).toBe(name);
    },
  );

  it("brings the version before back if the new one is not healthy, and says so", async () => {
    const { steps, message } = await deploy({ isHealthy: false });
    expect(steps).toEqual([...before, "confirm", ...changes, "rollBack"]);
    expect(message).toMatch(/has failed. The site is at version v1 again/);
  });

  it("looks which version is deployed after an upload that fails", async () => {
    const upload = () => Promise.reject(new Error("no cron trigger."));
    const late = await deploy({ deploy: upload });
    expect(late.steps.slice(-3)).toEqual(["deploy", "readDeployed", "rollBack"]);
    expect(late.message).toMatch(/The site is at version v1 again/);
    const early = await deploy({ deploy: upload, readDeployed: async () => "v1" });
    expect(early.steps.at(-1)).toBe("readDeployed");
    expect(early.message).toBe("no cron trigger. The site is still at version v1.");
  });

  it("says that the roll-back has failed too", async () => {
    const rollBack = () => Promise.reject(new Error("wrangler refuses."));
    const { message } = await deploy({ isHealthy: false, rollBack });
    expect(message).toMatch(/roll-back has failed too: wrangler refuses\./);
  });

  it("rolls nothing back where no healthy version was served", async () => {
    const { steps, message } = await deploy({
      fetchRelease: () => Promise.reject(new Error("reset")),
    });
    expect(steps).not.toContain("rollBack");
    expect(message).toMatch(/not healthy: no answer \(reset\)/);
  });

  const dropping = (statement: string) => ({
    readDatabase: async () => ({
      applied: 27,
      pending: [{ name: "0027_drop", statements: [statement] }],
      recordings: 0,
    }),
  });

  it("refuses a migration with which the deployed version would not work", async () => {
    const { steps, message, printed } = await deploy({
      ...dropping("alter table users drop column a"),
      hasConsent: true,
    });
    expect(steps).toEqual(before);
    expect(message).toMatch(/-- contract: why/);
    expect(printed).toContain("0027_drop drops a table or a column");
  });

  it("needs --yes for one that says why", async () => {
    const change = dropping(
      "-- contract: nothing reads it since the last one\nalter table users drop column a",
    );
    const asked = await deploy(change);
    expect(asked.steps).toEqual(before);
    expect(asked.message).toMatch(/--yes/);
    expect((await deploy({ ...change, hasConsent: true })).message).toBeNull();
  });
});

describe("findContractions", () => {
  const find = (statement: string) =>
    findContractions([{ name: "m", statements: [statement] }]).map(({ what }) => what);

  it.each([
    'ALTER TABLE "users" DROP COLUMN "a"',
    "drop table users",
    'ALTER TABLE "a" RENAME COLUMN "b" TO "c"',
    'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL',
    'ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint',
    'ALTER TABLE "a" ADD COLUMN "b" text NOT NULL',
    "alter table a add column b text not null default '', add column c text not null",
    "truncate a",
  ])("finds %s", (statement) => {
    expect(find(statement)).toHaveLength(1);
  });

  it.each([
    'CREATE TABLE "a" ("b" text NOT NULL)',
    'ALTER TABLE "a" ADD COLUMN "b" text NOT NULL DEFAULT \'\'',
    'ALTER TABLE "a" ADD COLUMN "b" text',
    "drop index if exists a_idx",
    "-- the rename comes later\nselect 'drop table users'",
    "create or replace function f() returns trigger as $$ begin truncate t; end $$ language plpgsql",
  ])("accepts %s", (statement) => {
    expect(find(statement)).toEqual([]);
  });
});

it("every migration from 0027 on works beside the version before, or says why not", () => {
  const migrations = readMigrationFiles({ migrationsFolder: "migrations" })
    .map(({ sql }, index) => ({ name: String(index), statements: sql }))
    .slice(27);
  expect(findContractions(migrations).filter(({ isExplained }) => !isExplained)).toEqual([]);
});
