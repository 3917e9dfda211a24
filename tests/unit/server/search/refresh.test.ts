import { expect, test } from "vitest";
import type { Database } from "#server/database.ts";
import { refreshBeforeSearch } from "#server/search/refresh.ts";

/** A database in which a passage waits, and whose indexing fails with this SQLSTATE. */
const createFailing = (code: string) =>
  ({
    execute: async () => ({ rows: [{}] }),
    batch: async () => {
      throw Object.assign(new Error("failed"), { code, severity: "ERROR" });
    },
  }) as unknown as Database;

const refresh = (code: string) =>
  refreshBeforeSearch(createFailing(code), crypto.randomUUID(), { now: () => new Date(0) });

test("a search goes on where indexing takes too long, and reports every other failure", async () => {
  await expect(refresh("57014")).resolves.toBeUndefined();
  await expect(refresh("42703")).rejects.toThrow("failed");
});
