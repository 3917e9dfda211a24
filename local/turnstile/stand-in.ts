import type { IncomingMessage, ServerResponse } from "node:http";
import { BodyTooLargeError, parseJson, readBody, sendJson } from "#local/json-body.ts";
import type { StandIn } from "#local/stand-in.ts";
import { widgetScript } from "./widget.ts";

const prefix = "/turnstile/";
const maxBytes = 64 * 1024;
/** Prefix of the tokens of Cloudflare's test site keys. Alone, it is a token without a page. */
const dummyToken = "XXXX.DUMMY.TOKEN.XXXX";

/** The test secrets of Cloudflare's documentation; the first digit selects the result. */
const testSecret = /^([123])x0{31}AA$/;

interface Verification {
  success: boolean;
  "error-codes": string[];
  challenge_ts?: string;
  hostname?: string;
  action?: string;
}

const createRefusal = (code: string): Verification => ({ success: false, "error-codes": [code] });

/**
 * A stand-in for Cloudflare Turnstile with its documented test keys. `POST /turnstile/v0/siteverify` accepts
 * JSON and answers like the test secrets: 1x passes, 2x fails, 3x reports a used token. In addition, a token
 * of the stand-in's widget passes only once (repeatedly under the same `idempotency_key`).
 * `GET /turnstile/v0/api.js` is the widget: see widget.ts.
 */
export function createTurnstileStandIn(): StandIn {
  /** Idempotency keys of the verified tokens, by token. */
  const usedTokens = new Map<string, unknown>();

  function verify(body: Record<string, unknown>): Verification {
    const { secret, response: token, idempotency_key: key } = body;
    if (typeof secret !== "string" || secret === "") return createRefusal("missing-input-secret");
    const kind = testSecret.exec(secret)?.[1];
    if (!kind) return createRefusal("invalid-input-secret");
    if (typeof token !== "string" || token === "") return createRefusal("missing-input-response");
    if (kind === "2" || !token.startsWith(dummyToken))
      return createRefusal("invalid-input-response");
    const isRepeated =
      usedTokens.has(token) && (key === undefined || usedTokens.get(token) !== key);
    if (kind === "3" || isRepeated) return createRefusal("timeout-or-duplicate");
    const payload = parseJson(Buffer.from(token.slice(dummyToken.length + 1), "base64").toString());
    const page = typeof payload === "object" && payload !== null ? payload : {};
    if ("id" in page) usedTokens.set(token, key);
    return {
      success: true,
      "error-codes": [],
      challenge_ts: new Date().toISOString(),
      hostname: "hostname" in page ? String(page.hostname) : "example.com",
      action: "action" in page ? String(page.action) : "",
    };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (request.method === "GET" && path === `${prefix}v0/api.js`) {
      const headers = { "content-type": "text/javascript; charset=utf-8" };
      response.writeHead(200, headers).end(widgetScript);
    } else if (request.method === "POST" && path === `${prefix}v0/siteverify`) {
      const body = parseJson(await readBody(request, maxBytes));
      const fields = typeof body === "object" && body !== null ? { ...body } : {};
      const verified = verify(fields);
      sendJson(response, verified.success ? 200 : 400, verified);
    } else sendJson(response, 404, createRefusal("bad-request"));
  }

  return {
    prefixes: [prefix],
    async handle(request, response) {
      try {
        await answer(request, response);
      } catch (error) {
        if (!(error instanceof BodyTooLargeError)) throw error;
        sendJson(response, 413, createRefusal("bad-request"));
      }
    },
    async close() {},
  };
}
