import { globSync, readFileSync } from "node:fs";
import type { DrizzleSnapshotJSON } from "drizzle-kit/api";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, it } from "vitest";
import * as schema from "#drizzle/schema.ts";

it("migrations contain every change of the schema (`npm run db:generate`)", async () => {
  const latest = globSync("migrations/meta/*_snapshot.json").sort().at(-1) ?? "";
  const migrated: DrizzleSnapshotJSON = JSON.parse(readFileSync(latest, "utf8"));
  expect(await generateMigration(migrated, generateDrizzleJson(schema, migrated.id))).toEqual([]);
});
