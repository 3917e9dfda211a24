import { expect, test } from "vitest";
import { listSecretNames, readDeployedVersion, rollBackTo } from "#build/deploy-wrangler.ts";
import { serveCloudflare } from "./cloudflare.ts";

const before = "11111111-1111-4111-8111-111111111111";
const after = "22222222-2222-4222-8222-222222222222";

test("the installed wrangler lists secrets, says what is deployed, and gives all requests to the version before", {
  timeout: 120_000,
}, async () => {
  const secrets = ["DATABASE_URL", "LLM_MODEL"];
  const { deployments } = await serveCloudflare({ secrets, versions: [before, after] });
  expect(await Promise.all([listSecretNames(), readDeployedVersion()])).toEqual([secrets, after]);
  await rollBackTo(before);
  expect(deployments[0]).toEqual({
    strategy: "percentage",
    versions: [{ version_id: before, percentage: 100 }],
    annotations: { "workers/message": "The deployment was not healthy" },
    // In Durable Objects too, for which wrangler's default is five minutes later.
    code_update_strategy: { mode: "immediate" },
  });
});
