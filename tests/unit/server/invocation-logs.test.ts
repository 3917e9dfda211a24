import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

test("no log holds the addresses of calls, in which guests carry their tickets", () => {
  const config = fileURLToPath(new URL("../../../wrangler.toml", import.meta.url));
  const { observability } = unstable_readConfig({ config });
  expect(observability?.logs).toEqual({ enabled: true, invocation_logs: false });
});
