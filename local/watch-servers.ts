import { connect } from "node:net";
import type { Found } from "./describe-services.ts";

/** A server that is started later is used so long after. */
const searchEveryMs = 15_000;
const connectTimeoutMs = 1_000;

type Search = { [Kind in keyof Found]: () => Promise<Found[Kind]> };

/**
 * Looks for servers on this machine while the site runs: as long as there is none, and for another one where the one in use
 * has ended. Without another one it stays, because it may come back. Calls `onFound` with what is used from then on, and
 * waits for it. Returns what ends the search.
 */
export function watchServers(
  found: Found,
  search: Search,
  onFound: (found: Found) => Promise<void>,
  everyMs = searchEveryMs,
): () => void {
  let current = found;
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const [model, speech] = await Promise.all([
      keepOrFind(current.model, search.model),
      keepOrFind(current.speech, search.speech),
    ]);
    if (hasEnded) return;
    const next = { model, speech };
    if (JSON.stringify(next) !== JSON.stringify(current)) await onFound(next);
    current = next;
    if (!hasEnded) timer = setTimeout(look, everyMs);
  };
  timer = setTimeout(look, everyMs);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

async function keepOrFind<Server extends { url: string }>(
  server: Server | null,
  find: () => Promise<Server | null>,
): Promise<Server | null> {
  if (server !== null && (await isListening(server.url))) return server;
  return (await find()) ?? server;
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: connectTimeoutMs });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => finish(true));
    socket.once("timeout", () => finish(false));
    socket.once("error", () => finish(false));
  });
}
