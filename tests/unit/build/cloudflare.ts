import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished, vi } from "vitest";
import { readBody, sendJson } from "#local/json-body.ts";
import { serve } from "#tests/unit/local/serve.ts";

const account = "0123456789abcdef0123456789abcdef";
const script = `/client/v4/accounts/${account}/workers/scripts/dualect`;

interface Deployment {
  versions: { version_id: string; percentage: number }[];
  annotations: Record<string, string>;
}

/**
 * A stand-in for the part of Cloudflare's API that lists secrets and deploys uploaded versions. Wrangler calls it, in processes
 * that this one starts, until the test ends. The versions were deployed one after the other.
 */
export async function serveCloudflare(options: { secrets: string[]; versions: string[] }) {
  const deployments = options.versions
    .map(
      (version_id): Deployment => ({
        versions: [{ version_id, percentage: 100 }],
        annotations: {},
      }),
    )
    .reverse();

  const describeDeployment = (deployment: Deployment, index: number) => ({
    id: `deployment-${deployments.length - index}`,
    strategy: "percentage",
    source: "api",
    author_email: "",
    created_on: new Date(deployments.length - index).toISOString(),
    ...deployment,
  });
  async function answer(request: IncomingMessage): Promise<unknown> {
    const path = (request.url ?? "").replace(script, "");
    if (request.method === "POST" && path === "/deployments") {
      const asked: Deployment = JSON.parse(await readBody(request, 10_000));
      deployments.unshift(asked);
      return describeDeployment(asked, 0);
    }
    if (request.method !== "GET") return null;
    if (path === "/secrets") return options.secrets.map((name) => ({ name, type: "secret_text" }));
    if (path === "/deployments") return { deployments: deployments.map(describeDeployment) };
    const id = options.versions.find((version) => path === `/versions/${version}`);
    const created_on = new Date(0).toISOString();
    return id ? { id, number: 1, metadata: { created_on }, annotations: {}, resources: {} } : null;
  }
  const server = await serve({
    prefixes: ["/client/v4/"],
    async handle(request: IncomingMessage, response: ServerResponse) {
      const result = await answer(request);
      const errors = result === null ? [{ code: 10_007, message: "There is none." }] : [];
      const success = result !== null;
      sendJson(response, success ? 200 : 404, { success, errors, messages: [], result });
    },
    async close() {},
  });
  onTestFinished(() => server.close());
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", `${server.url}/client/v4`);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", account);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  /** The latest first. */
  return { deployments };
}
