import { Hono } from "hono";
import { spendBudgets } from "#server/daily-budget.ts";
import { toLogFields } from "#server/errors.ts";
import { listRemoteUses } from "#server/remote-files/budget.ts";
import { AppError } from "#shared/errors.ts";
import { mediaMaxBytes, remoteTextMaxBytes } from "#shared/limits.ts";
import {
  RemoteFileError,
  remoteFileHeader,
  remoteFileInput,
  remoteRefusalStatus,
} from "#shared/remote-file.ts";
import type { OpenRemoteFile } from "#worker/adapters/remote-files.ts";
import { limitBody } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";
import { sendInPieces } from "#worker/http/send-in-pieces.ts";

const bodyMaxBytes = 8 * 1024;
/** The page takes a piece in this time, or gets no more. */
const pieceTimeoutMs = 20_000;

/**
 * `POST /api/remote-file`: a file of another site, which does not let the page fetch it. Whatever it is, the browser takes
 * it for a download: other sites' pages are never shown at this site's address.
 */
export const remoteFiles = new Hono<AppEnv>();

remoteFiles.post("/", limitBody(bodyMaxBytes), async (c) => {
  const session = c.get("session");
  if (!session) throw new AppError("unauthenticated");
  const userId = session.user.id;
  const { limits, openRemoteFile, db, clock, logger } = c.get("services");
  if (!(await limits.remoteFiles.allow(`user:${userId}`)))
    throw new AppError("rate_limited", { retryAfterSeconds: 60 });
  const input = remoteFileInput.safeParse(await c.req.json().catch(() => null));
  if (!input.success) throw new AppError("validation_failed", { detail: "no remote file" });
  let opened: OpenRemoteFile;
  try {
    opened = await openRemoteFile(input.data);
  } catch (failure) {
    if (!(failure instanceof RemoteFileError)) throw failure;
    return c.json({ problem: failure.problem }, remoteRefusalStatus);
  }
  const { file, pieces, close } = opened;
  const budget = { db, clock, logger, requestId: c.get("requestId") };
  const now = clock.now();
  // What has no length may have any.
  const reserved =
    file.kind === "text" ? remoteTextMaxBytes : (file.size ?? mediaMaxBytes) - file.from;
  try {
    await spendBudgets(budget, listRemoteUses(userId, reserved), now);
  } catch (failure) {
    close();
    throw failure;
  }
  const ended = Promise.withResolvers<number>();
  c.executionCtx.waitUntil(
    ended.promise
      .then(async (sent) => {
        if (sent < reserved)
          await spendBudgets(budget, listRemoteUses(userId, sent - reserved), now);
      })
      .catch((failure: unknown) => logger.warn("budget_not_returned", toLogFields(failure))),
  );
  const end = (sent: number) => {
    close();
    ended.resolve(sent);
  };
  return new Response(sendInPieces(createBody(pieces, end, c.req.raw.signal), pieceTimeoutMs), {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      [remoteFileHeader]: encodeURIComponent(JSON.stringify(file)),
    },
  });
});

/** @param onEnd is told once how many bytes were taken, however it ended */
function createBody(
  pieces: AsyncGenerator<Uint8Array, void>,
  onEnd: (sent: number) => void,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let sent = 0;
  signal.addEventListener("abort", () => onEnd(sent));
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) {
          controller.close();
          onEnd(sent);
          return;
        }
        sent += value.byteLength;
        controller.enqueue(value);
      } catch (failure) {
        controller.error(failure);
        onEnd(sent);
      }
    },
    cancel: () => onEnd(sent),
  });
}
