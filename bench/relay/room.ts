import { findChild, receiveInput, sendToParent } from "#bench/processes.ts";
import { type Edge, startEdge } from "#local/edge.ts";

/** The built worker in workerd. This Node process only starts it. */
export interface RoomReady {
  url: string;
  workerdPid: number;
}

let edge: Edge | null = null;
const input = await receiveInput<{ vars: Record<string, string>; buildDir: string }>(() =>
  edge?.close(),
);
edge = await startEdge({ ...input, port: 0, persistDir: null, log: () => {} });
const health = await fetch(`${edge.url}/api/health`);
if (!health.ok) throw new Error(`the worker answers ${health.status}: ${await health.text()}`);
sendToParent({ url: edge.url, workerdPid: findChild(process.pid, "workerd") } satisfies RoomReady);
