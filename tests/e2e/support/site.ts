import { findChild } from "#bench/processes.ts";
import { startEdge } from "#local/edge.ts";
import { startEmbeddedStack } from "#local/stack.ts";
import { readDatabaseImage } from "#tests/fixtures/database-image.ts";
import { buildDir as defaultBuildDir } from "./prepared-files.ts";

export interface Site {
  /** URL of the product. */
  url: string;
  /** URL of the embedded stack, for failure injection. */
  stackUrl: string;
  /** Injects failures into a stand-in: `control("soniox", {…})`. */
  control(service: "soniox" | "llm" | "stripe", order: object): Promise<void>;
  /** Kills workerd. Miniflare starts it again, on the same port and with the same storage. */
  killEdge(): void;
  close(): Promise<void>;
}

interface SiteOptions {
  /** Environment variables of the site. Without `SPEECH` the demo voice is the default engine. */
  env?: Record<string, string>;
  buildDir?: string;
  /** Directory of the Durable Objects' storage; default: in memory. */
  persistDir?: string | null;
  /** The site has the first speech service's key alone, behind which is the stand-in. */
  hasSpeechKey?: boolean;
}

/** The production build in `buildDir` on an embedded stack of its own. */
export async function startSite({
  env = {},
  buildDir = defaultBuildDir,
  persistDir = null,
  hasSpeechKey = false,
}: SiteOptions = {}): Promise<Site> {
  const databaseImage = await readDatabaseImage();
  const stack = await startEmbeddedStack({
    dataDir: null,
    databaseImage,
    port: 0,
    env: { SPEECH: hasSpeechKey ? "" : "demo", ...env },
  });
  const speechUrl = `${stack.url.replace("http", "ws")}/soniox/transcribe-websocket`;
  const speech = hasSpeechKey ? { SONIOX_API_KEY: "key", SONIOX_URL: speechUrl } : {};
  const log: string[] = [];
  const edge = await startEdge({
    buildDir,
    vars: { ...stack.vars, ...speech },
    port: 0,
    persistDir,
    log: (line) => log.push(line),
  });
  stack.announce(edge.url);
  return {
    url: edge.url,
    stackUrl: stack.url,
    async control(service, order) {
      const answer = await fetch(`${stack.url}/${service}/control`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(order),
      });
      if (!answer.ok)
        throw new Error(`${service} refused ${JSON.stringify(order)}: ${answer.status}`);
    },
    killEdge: () => process.kill(findChild(process.pid, "workerd"), "SIGKILL"),
    async close() {
      await edge.close();
      await stack.close();
      if (process.env.E2E_LOG) console.log(log.join("\n"));
    },
  };
}
