import { existsSync, globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4MiniflareOptions,
  type V4WorkerOptions,
  type WorkerdStructuredLog,
} from "miniflare";
import { loopbackHosts } from "./local-requests.ts";

export interface EdgeOptions {
  /** Default: `dist`. */
  buildDir?: string;
  /** The worker's first module, in the build. */
  entry?: string;
  /** Bindings of the worker, from the embedded stack. */
  vars: Record<string, string>;
  /** 0 lets the system choose. */
  port: number;
  /** Directory of the Durable Objects' storage; null keeps it in memory. */
  persistDir: string | null;
  /** What listens on `port`; default: for this machine's browsers. */
  front?: Front;
  /** Gives the worker a network that reaches public addresses alone, whatever names lead to. */
  hasPublicNetwork?: boolean;
  /** Receives the worker's JSON log lines. */
  log?: (line: string) => void;
}

type Front = V4WorkerOptions & { name: string };

export interface Edge {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** Runs what the cron trigger runs. */
  runCron(): Promise<void>;
  close(): Promise<void>;
}

/** Serves the production build (`npm run build`) in workerd, on 127.0.0.1 unless `front` says otherwise. */
export async function startEdge({
  buildDir = "dist",
  entry = "index.js",
  vars,
  port,
  persistDir,
  front = createEdgeProxy({ product, port }),
  hasPublicNetwork = false,
  log = console.log,
}: EdgeOptions): Promise<Edge> {
  const main = resolve(buildDir, "dualect", entry);
  for (const file of [main, resolve(buildDir, "dualect", workerOptionsFile)])
    if (!existsSync(file)) throw new Error(`${file} does not exist: run the build first`);
  const worker = await readWorkerOptions(buildDir);
  const options: V4MiniflareOptions = {
    // Miniflare's own entry has handlers under /cdn-cgi and obeys special headers. It gets a random port
    // that is not published; users reach the proxy worker instead.
    host: "127.0.0.1",
    port: 0,
    log: new Log(LogLevel.WARN),
    handleStructuredLogs: ({ level, message }: WorkerdStructuredLog) => {
      log(`${level}: ${message}`);
    },
    telemetry: { enabled: false },
    // Miniflare would otherwise fetch `request.cf` from the network.
    cf: false,
    ...(persistDir ? { defaultPersistRoot: resolve(persistDir) } : {}),
    workers: [
      front,
      {
        ...worker,
        name: product,
        bindings: { ...worker.bindings, ...vars },
        ...(hasPublicNetwork && {
          serviceBindings: { ...worker.serviceBindings, PUBLIC_NETWORK: publicNetwork },
        }),
        modulesRoot: dirname(main),
        modules: await readModules(main),
      },
    ],
  };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  const { origin: url } = await miniflare.unsafeGetDirectURL(front.name);
  return {
    url,
    async runCron() {
      const { scheduled } = await miniflare.getWorker(product);
      // A package adds methods to Date, of which this type wants the same ones from the other side.
      const scheduledTime = new Date() as never;
      const { outcome } = await scheduled({ cron: "", scheduledTime });
      if (outcome !== "ok") throw new Error(outcome);
    },
    close: () => miniflare.dispose(),
  };
}

/** The runtime refuses other addresses when it connects, after it has resolved the name. */
export const publicNetwork = {
  network: { allow: ["public"], tlsOptions: { trustBrowserCas: true } },
};

const product = "dualect";
const proxyScript = join(import.meta.dirname, "edge-proxy.mjs");

/** The worker that listens on `port` of 127.0.0.1 and forwards requests to the worker `product`. */
export const createEdgeProxy = ({ product, port }: { product: string; port: number }) => ({
  name: "front",
  compatibilityDate: "2026-10-23",
  modules: [{ type: "ESModule" as const, path: proxyScript }],
  bindings: { LOOPBACK_HOSTS: [...loopbackHosts] },
  serviceBindings: { PRODUCT: product },
  unsafeDirectSockets: [{ host: "127.0.0.1", port }],
});

/** In the folder of the worker; written by build/worker-options.ts. */
export const workerOptionsFile = "worker-options.json";

/** The worker's options without its modules, in the form of miniflare 4, which wrangler still writes. */
async function readWorkerOptions(buildDir: string): Promise<V4WorkerOptions> {
  const options = JSON.parse(
    await readFile(resolve(buildDir, "dualect", workerOptionsFile), "utf8"),
  );
  // The build may have been copied since.
  return { ...options, assets: { ...options.assets, directory: resolve(buildDir, "client") } };
}

/** The entry first, then every chunk and WebAssembly module that the build wrote beside it. */
async function readModules(main: string) {
  const root = dirname(main);
  const others = globSync("**/*.{js,mjs,wasm}", { cwd: root })
    .map((path) => join(root, path))
    .filter((path) => path !== main);
  return Promise.all(
    [main, ...others].map(async (path) =>
      path.endsWith(".wasm")
        ? { type: "CompiledWasm" as const, path, contents: await readFile(path) }
        : { type: "ESModule" as const, path, contents: await readFile(path, "utf8") },
    ),
  );
}
