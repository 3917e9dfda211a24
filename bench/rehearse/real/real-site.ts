import { randomUUID } from "node:crypto";
import { toSpeechSettings } from "#local/deepgram/find-local-server.ts";
import { startEdge } from "#local/edge.ts";
import { startEmbeddedStack } from "#local/stack.ts";
import { signGuestTicket } from "#server/recording/guest-ticket.ts";
import { guestTicketParam } from "#shared/site.ts";

/** The product on this machine, with the speech server at `speechUrl`. */
export async function startSite(buildDir: string, speechUrl: string) {
  const env = toSpeechSettings({ url: speechUrl, hasFinalize: false });
  const stack = await startEmbeddedStack({ dataDir: null, port: 0, env });
  const { GUEST_TICKET_SECRET: secret = "" } = stack.vars;
  const logged: string[] = [];
  const log = (line: string) => {
    if (line.includes("provider_") || line.includes("finalize_")) logged.push(line);
  };
  const edge = await startEdge({ buildDir, vars: stack.vars, port: 0, persistDir: null, log });
  let guests = 0;
  return {
    /** What the rooms have logged of the server since the last call. */
    takeLog: () => logged.splice(0),
    /** A new guest's room. */
    openRoom() {
      guests += 1;
      const recordingId = randomUUID();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const ticket = signGuestTicket(secret, { recordingId, expiresAt });
      const address = new URL(`/api/recordings/${recordingId}`, edge.url.replace(/^http/, "ws"));
      address.searchParams.set(guestTicketParam, ticket);
      address.searchParams.set("tab", randomUUID());
      // Each guest has the day's minutes of an address.
      const headers = { origin: edge.url, "cf-connecting-ip": `198.51.100.${guests}` };
      return { url: address.href, headers };
    },
    async close() {
      await edge.close();
      await stack.close();
    },
  };
}
