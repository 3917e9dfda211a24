import { type StandIn, serveStandIns } from "#local/stand-in.ts";

/** Serves one stand-in on a free port of 127.0.0.1, as the embedded stack does. */
export const serve = (standIn: StandIn) => serveStandIns([standIn], 0);

/** Sets failures of the stand-in under `prefix`; returns its answer. */
export async function control(url: string, prefix: string, failures: object): Promise<unknown> {
  const response = await fetch(`${url}${prefix}control`, {
    method: "POST",
    body: JSON.stringify(failures),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
