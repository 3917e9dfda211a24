import { Hono } from "hono";
import * as z from "zod/mini";
import { sha256 } from "#server/auth/secrets.ts";
import { findShareByCode } from "#server/sharing/queries.ts";
import { AppError } from "#shared/errors.ts";
import { targetLanguages } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  type ShareEnd,
  type ShareServerMessage,
  shareClosedCode,
  shareCode,
} from "#shared/share.ts";
import {
  shareCodeParam,
  shareEpochParam,
  shareLanguageParam,
  shareProbesParam,
  shareSinceParam,
} from "#shared/site.ts";
import type { ShareGrant } from "#worker/durable/share-room.ts";
import { addGrant, isUpgradeRequest, shareGrantHeader } from "#worker/durable/sockets.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { checkUpgradeOrigin } from "#worker/http/middleware/origin.ts";

/**
 * `GET /api/shares`: a reader's WebSocket. The code is a query parameter, because paths are logged. A page cannot read
 * why an upgrade failed, so a refused reader gets a socket that says why and is closed.
 */
export const shares = new Hono<AppEnv>();

const language = z.enum(targetLanguages);
const seq = z.coerce.number().check(z.int(), z.nonnegative());

shares.get("/", async (c) => {
  checkUpgradeOrigin(c);
  if (!isUpgradeRequest(c.req.raw)) throw new AppError("upgrade_required");
  const { db, limits, secretLookups } = c.get("services");
  const address = getAddressKey(c.req.raw);
  // On a developer's machine all readers share one key.
  if (!(await limits.readers.allow(address ?? "address:loopback"))) return refuse("rate_limited");
  const code = shareCode.safeParse(c.req.query(shareCodeParam)).data;
  const share =
    code === undefined
      ? null
      : await secretLookups
          .find("share", code, address, () => findShareByCode(db, sha256(code)))
          .catch(toRefusal);
  if (share === "rate_limited") return refuse(share);
  if (share === null) return refuse("unknown");
  if (share.hasEnded) return refuse("ended");
  const epoch = uuid.safeParse(c.req.query(shareEpochParam));
  const since = seq.safeParse(c.req.query(shareSinceParam));
  const grant: ShareGrant = {
    shareId: share.id,
    answersProbes: c.req.query(shareProbesParam) === "1",
    language: language.safeParse(c.req.query(shareLanguageParam)).data ?? "none",
    since: epoch.success && since.success ? { epoch: epoch.data, seq: since.data } : null,
  };
  return c.env.SHARE_ROOM.getByName(share.id).fetch(addGrant(c.req.raw, shareGrantHeader, grant));
});

function toRefusal(error: unknown): "rate_limited" {
  if (error instanceof AppError && error.code === "rate_limited") return error.code;
  throw error;
}

function refuse(reason: ShareEnd): Response {
  const { 0: client, 1: socket } = new WebSocketPair();
  const message: ShareServerMessage = { type: "closed", reason };
  socket.accept();
  socket.send(JSON.stringify(message));
  socket.close(shareClosedCode);
  return new Response(null, { status: 101, webSocket: client });
}
