import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

test("logs no URLs of calls, because a guest's contains the ticket", () => {
  const config = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));
  const { observability } = unstable_readConfig({ config });
  expect(observability?.logs).toEqual({ enabled: true, invocation_logs: false });
});
