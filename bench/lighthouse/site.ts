import { receiveInput, sendToParent } from "#bench/processes.ts";
import { startEdge } from "#local/edge.ts";
import { startEmbeddedStack } from "#local/stack.ts";

/** A build in workerd on the embedded stack, in a process of its own. */
export interface SitePlan {
  buildDir: string;
}

export interface SiteReady {
  /** `http://127.0.0.1:PORT` */
  url: string;
}

let close = async () => {};
const { buildDir } = await receiveInput<SitePlan>(() => close());
const stack = await startEmbeddedStack({ dataDir: null, port: 0, env: {} });
close = stack.close;
const { vars } = stack;
const edge = await startEdge({ buildDir, vars, port: 0, persistDir: null, log: () => {} });
close = async () => {
  await edge.close();
  await stack.close();
};
stack.announce(edge.url);
sendToParent({ url: edge.url } satisfies SiteReady);
