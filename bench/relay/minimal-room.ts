import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { findChild, receiveInput, sendToParent } from "#bench/processes.ts";
import { createEdgeProxy } from "#local/edge.ts";
import type { RoomReady } from "./room.ts";

/**
 * A minimal relay in workerd, for comparison with the room: what remains is the cost of the runtime. With `ledgerUrl`
 * recordings are counted as well, by `ledger.ts`.
 */
export interface MinimalRoomPlan {
  providerUrl: string;
  ledgerUrl?: string;
}

/** The middle of the times of 16 to 20 s that rooms choose from. */
const ledgerIntervalMs = 18_000;

let miniflare: Miniflare | null = null;
const { providerUrl, ledgerUrl } = await receiveInput<MinimalRoomPlan>(() => miniflare?.dispose());
const product = "minimal";
miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    workers: [
      createEdgeProxy({ product, port: 0 }),
      {
        name: product,
        compatibilityDate: "2026-10-23",
        modules: [{ type: "ESModule", path: join(import.meta.dirname, "minimal-room-worker.mjs") }],
        // workerd upgrades http addresses and knows no ws scheme.
        // The product's files take two more hops of each socket in workerd: here they are the same.
        assets: {
          directory: import.meta.dirname,
          routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        },
        bindings: {
          PROVIDER_URL: providerUrl.replace(/^ws/, "http"),
          LEDGER_URL: ledgerUrl ?? "",
          LEDGER_INTERVAL_MS: ledgerIntervalMs,
        },
        durableObjects: { ROOM: { className: "MinimalRoom", useSQLite: true } },
      },
    ],
  }),
);
const { origin: url } = await miniflare.unsafeGetDirectURL("front");
await (await fetch(url)).text();
sendToParent({ url, workerdPid: findChild(process.pid, "workerd") } satisfies RoomReady);
