import { type Context, Hono } from "hono";
import * as z from "zod/mini";
import { sha256 } from "#server/auth/secrets.ts";
import { AnswerBudget } from "#server/context.ts";
import { findShareByCode } from "#server/sharing/queries.ts";
import {
  listSharedSlides,
  readPicture,
  readSharedPicture,
  storePicture,
} from "#server/slides/queries.ts";
import { readPictureFormat } from "#server/slides/read-picture.ts";
import { reportSlides } from "#server/slides/router.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import {
  slidePictureMaxBytes,
  slidePictureMaxWidth,
  slideThumbnailMaxBytes,
  slideThumbnailMaxWidth,
} from "#shared/limits.ts";
import { shareCode } from "#shared/share.ts";
import { shareCodeParam } from "#shared/site.ts";
import { type SharedSlides, type SlideKind, slideKinds } from "#shared/slides.ts";
import { createContext } from "#worker/http/context.ts";
import { getAddressKey } from "#worker/http/middleware/address.ts";
import { limitBody } from "#worker/http/middleware/early-calls.ts";
import type { AppEnv } from "#worker/http/middleware/identity.ts";

/**
 * Slides' pictures, and the list of a share's slides: see `src/shared/slides.ts`. A picture never changes, so the
 * browser keeps it; with another cookie it asks again.
 */
export const slides = new Hono<AppEnv>();

const limits: Record<SlideKind, { width: number; bytes: number }> = {
  full: { width: slidePictureMaxWidth, bytes: slidePictureMaxBytes },
  thumbnail: { width: slideThumbnailMaxWidth, bytes: slideThumbnailMaxBytes },
};

const pictureKey = z.object({ id: uuid, kind: z.enum(slideKinds) });

/** @throws AppError `not_found` */
function readKey(c: Context<AppEnv>): z.infer<typeof pictureKey> {
  const key = pictureKey.safeParse(c.req.param());
  if (!key.success) throw new AppError("not_found");
  return key.data;
}

/** @throws AppError `unauthenticated`, `scope_required`, `rate_limited` */
async function requireUser(c: Context<AppEnv>, needs: "read" | "write"): Promise<SessionUser> {
  const program = c.get("program");
  const session = program?.session ?? c.get("session");
  if (!session) throw new AppError("unauthenticated");
  const { user } = session;
  const services = c.get("services");
  if (program && needs === "write" && program.token.scope === "read")
    throw new AppError("scope_required");
  const limiter = program
    ? services.limits.programs
    : services.limits[needs === "write" ? "writes" : "readers"];
  // Apart from the calls that save what is said.
  const isAllowed = await limiter.allow(program ? `user:${user.id}` : `slides:${user.id}`);
  if (!isAllowed) throw new AppError("rate_limited", { retryAfterSeconds: 20 });
  return user;
}

/**
 * The hash of the link's secret; null if the request has none.
 *
 * @throws AppError `not_found` for a link that leads nowhere, `rate_limited`
 */
async function readShareHash(c: Context<AppEnv>): Promise<string | null> {
  const given = c.req.query(shareCodeParam);
  if (given === undefined) return null;
  const { db, limits, secretLookups } = c.get("services");
  const address = getAddressKey(c.req.raw);
  if (!(await limits.readers.allow(`slides:${address ?? "loopback"}`)))
    throw new AppError("rate_limited", { retryAfterSeconds: 20 });
  const code = shareCode.safeParse(given).data;
  if (code === undefined) throw new AppError("not_found");
  const codeHash = sha256(code);
  const share = await secretLookups.find("share", code, address, () =>
    findShareByCode(db, codeHash),
  );
  if (share === null || share.hasEnded) throw new AppError("not_found");
  return codeHash;
}

slides.get("/", async (c) => {
  const codeHash = await readShareHash(c);
  if (codeHash === null) throw new AppError("not_found");
  const answer: SharedSlides = { slides: await listSharedSlides(c.get("services").db, codeHash) };
  return c.json(answer);
});

slides.get("/:id/:kind", async (c) => {
  const key = readKey(c);
  const { db } = c.get("services");
  const codeHash = await readShareHash(c);
  const { type, content } =
    codeHash === null
      ? await readPicture(db, { ...key, userId: (await requireUser(c, "read")).id })
      : await readSharedPicture(db, { ...key, codeHash });
  return c.body(content, 200, {
    "content-type": type,
    "cache-control": "private, max-age=31536000, immutable",
    vary: "cookie",
    "content-security-policy": "default-src 'none'; sandbox",
  });
});

slides.put(
  "/:id/:kind",
  async (c, next) => {
    await limitBody(limits[readKey(c).kind].bytes)(c, next);
  },
  async (c) => {
    const { kind, id } = readKey(c);
    const user = await requireUser(c, "write");
    const content = new Uint8Array(await c.req.arrayBuffer());
    const format = readPictureFormat(content);
    const { width } = limits[kind];
    if (!format || format.width > width || format.height > width)
      throw new AppError("validation_failed", { detail: "no picture of a slide" });
    const { db } = c.get("services");
    const changed = await storePicture(db, {
      userId: user.id,
      id,
      kind,
      type: format.type,
      content,
    });
    if (changed) {
      const ctx = createContext(c, {
        answerBudget: new AnswerBudget(),
        responseHeaders: new Headers(),
      });
      reportSlides({ ...ctx, user }, changed);
    }
    return c.body(null, 204);
  },
);
