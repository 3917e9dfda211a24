import { expect, test } from "vitest";
import { appRouter } from "#server/app-router.ts";
import type { Database } from "#server/database.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { createFakeContext } from "#tests/unit/server/support/fake-context.ts";

const createCaller = createCallerFactory(appRouter);

test("a guest whose address cannot be counted may try again: the day's allowance is not used up", async () => {
  const broken = new Proxy({} as Database, {
    get() {
      throw new Error("The database does not answer");
    },
  });
  const { context } = createFakeContext(broken, { session: null, addressKey: "address:1" });
  const ask = createCaller(context).recording.guestTicket({ previous: null });
  await expect(ask).rejects.toMatchObject({ cause: { code: "internal" } });
});
