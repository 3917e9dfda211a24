import { randomBytes } from "node:crypto";
import { sendJson } from "#local/json-body.ts";
import { type StandIn, serveStandIns } from "#local/stand-in.ts";

/**
 * Serves what the worker needs of this process on 127.0.0.1: Postgres behind Neon's protocol, and mail behind Resend's.
 * Other programs on the machine do not know the secret, which is new with each start.
 *
 * @returns settings with which the worker finds the services.
 */
export async function servePrivately(services: { database: StandIn; mail: StandIn | null }) {
  const secret = randomBytes(32).toString("hex");
  const { database, mail } = services;
  const list = [database, ...(mail ? [mail] : [])].map((one) => requireSecret(one, secret));
  const { url, close } = await serveStandIns(list, 0);
  const { host } = new URL(url);
  const vars: Record<string, string> = {
    DATABASE_URL: `postgresql://worker:${secret}@${host}/dualect`,
    ...(mail && { RESEND_URL: `${url}/mail`, RESEND_API_KEY: secret }),
  };
  return { vars, close };
}

function requireSecret(service: StandIn, secret: string): StandIn {
  return {
    ...service,
    handle(request, response) {
      const { authorization = "", "neon-connection-string": connection = "" } = request.headers;
      if (authorization === `Bearer ${secret}` || String(connection).includes(`:${secret}@`))
        return service.handle(request, response);
      request.resume();
      sendJson(response, 401, { statusCode: 401, name: "unauthorized", message: "Unauthorized." });
    },
  };
}
