import { env } from "cloudflare:test";
import { eq, inArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { slidePictures, slides, users } from "#drizzle/schema.ts";
import {
  accountSlideBytesMax,
  slidePictureMaxBytes,
  slidesMax,
  slidesPerCallMax,
  slideThumbnailMaxBytes,
} from "#shared/limits.ts";
import type { NewSlide, SharedSlides, SlideKind } from "#shared/slides.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { ReaderPage } from "#tests/worker/sharing/support.ts";
import { openBrowser, openProgram, openSignedIn } from "#tests/worker/support/browser.ts";
import { getErrorData } from "#tests/worker/support/errors.ts";
import { getServices } from "#worker/services.ts";

const { db } = getServices(env);
type Browser = Pick<ReturnType<typeof openBrowser>, "browser">;

/** As many bytes as wanted, which begin like a PNG of this size. */
function createPng(width: number, height: number, bytes = 64): Uint8Array {
  const png = new Uint8Array(bytes);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(png.buffer).setUint32(16, width);
  new DataView(png.buffer).setUint32(20, height);
  return png;
}

const createSlide = (over: Partial<NewSlide> = {}): NewSlide => ({
  id: crypto.randomUUID(),
  rowId: null,
  atMs: null,
  page: null,
  fileName: null,
  source: "file",
  text: "",
  placedBy: "words",
  width: 1280,
  height: 720,
  ...over,
});

const put = ({ browser }: Browser, id: string, kind: SlideKind | "huge", body: Uint8Array) =>
  browser.fetch(`/api/slides/${id}/${kind}`, { method: "PUT", body });
const get = ({ browser }: Browser, id: string, kind: SlideKind, code?: string) =>
  browser.fetch(`/api/slides/${id}/${kind}${code === undefined ? "" : `?code=${code}`}`);
const readStatus = async (response: Promise<Response>) => {
  const { status, headers } = await response;
  const isJson = headers.get("content-type")?.startsWith("application/json");
  const body = isJson ? ((await (await response).json()) as { error: { code: string } }) : null;
  return [status, body?.error.code ?? null];
};

/** A lecture with two rows, the second one a minute after the first. */
async function openLecture() {
  const account = await openSignedIn();
  const id = crypto.randomUUID();
  await account.trpc.lectures.create.mutate({ id, title: "Optics", targetLanguage: "fr" });
  const entries = [0, 1].map((n) =>
    createEntry(`Row ${n}.`, n, { startMs: n * 60_000, endMs: n * 60_000 + 900 }),
  );
  await account.trpc.lectures.saveRows.mutate({ lectureId: id, entries, deleted: [] });
  const [first, second] = entries.map((entry) => entry.id);
  if (!first || !second) throw new Error("no rows");
  return { ...account, lectureId: id, rowIds: [first, second] as const };
}

async function storePictures(account: Browser, id: string) {
  for (const [kind, size] of [
    ["thumbnail", 240],
    ["full", 1280],
  ] as const) {
    const response = await put(account, id, kind, createPng(size, size / 2, 1_000));
    expect(response.status).toBe(204);
  }
}

describe("a slide", () => {
  test("stands at its row, moves by hand, and gives its pictures", async () => {
    const account = await openLecture();
    const { trpc, lectureId, rowIds } = account;
    const page = createSlide({ rowId: rowIds[1], page: 2, fileName: "optics.pdf", text: "Snell" });
    const still = createSlide({ atMs: 30_000, source: "screen", placedBy: "time" });
    const unplaced = createSlide({ page: 1 });
    const saved = [page, still, unplaced];
    await trpc.slides.save.mutate({ lectureId, slides: saved });
    await trpc.slides.save.mutate({ lectureId, slides: saved });
    const listed = await trpc.slides.list.query({ lectureId });
    expect(listed.map(({ id }) => id)).toEqual([unplaced.id, still.id, page.id]);
    expect(listed[2]).toMatchObject({ ...page, lectureId, hasPictures: false });

    const picture = createPng(1280, 720, 2_000);
    expect((await put(account, page.id, "full", picture)).status).toBe(204);
    expect((await put(account, page.id, "thumbnail", createPng(240, 135))).status).toBe(204);
    // A picture that is there stays.
    expect((await put(account, page.id, "full", createPng(8, 8))).status).toBe(204);
    const answer = await get(account, page.id, "full");
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(picture);
    expect((await trpc.slides.usage.query()).bytes).toBe(
      3 * 256 + 2_000 + 64 + "optics.pdfSnell".length,
    );

    await trpc.slides.move.mutate({
      lectureId,
      places: [{ id: page.id, rowId: rowIds[0], placedBy: "person" }],
    });
    const moved = await trpc.slides.list.query({ lectureId });
    expect(moved.map(({ id, placedBy, hasPictures }) => [id, placedBy, hasPictures])).toEqual([
      [unplaced.id, "words", false],
      [page.id, "person", true],
      [still.id, "time", false],
    ]);
    await trpc.slides.delete.mutate({ lectureId, ids: [page.id, still.id] });
    expect(await trpc.slides.list.query({ lectureId })).toHaveLength(1);
    expect(await db.select().from(slidePictures).where(eq(slidePictures.slideId, page.id))).toEqual(
      [],
    );
    expect(await readStatus(get(account, page.id, "full"))).toEqual([404, "not_found"]);
  });

  test("is found by its words, at its row", async () => {
    const { trpc, lectureId, rowIds } = await openLecture();
    const text = "Law of refraction\nBrewster's angle";
    const slide = createSlide({ rowId: rowIds[1], text });
    await trpc.slides.save.mutate({ lectureId, slides: [slide, createSlide()] });
    const search = async (query: string) => (await trpc.lectures.search.query({ query })).results;
    expect((await search("brewster"))[0]?.hit).toEqual({
      kind: "slide",
      position: 1,
      startMs: 60_000,
      text: ["", "Brewster", "'s angle"],
    });
    await trpc.slides.save.mutate({ lectureId, slides: [{ ...slide, text: "Fresnel" }] });
    expect(await search("brewster")).toEqual([]);
    expect(await search("fresnel")).toHaveLength(1);
    await trpc.slides.delete.mutate({ lectureId, ids: [slide.id] });
    expect(await search("fresnel")).toEqual([]);
  });

  test("goes to the trash with its lecture", async () => {
    const account = await openLecture();
    const { trpc, lectureId } = account;
    const slide = createSlide();
    await trpc.slides.save.mutate({ lectureId, slides: [slide] });
    await storePictures(account, slide.id);
    const { id } = await trpc.lectures.delete.mutate({ id: lectureId });
    expect(await readStatus(get(account, slide.id, "thumbnail"))).toEqual([404, "not_found"]);
    expect(await trpc.slides.list.query({ lectureId })).toEqual([]);
    await trpc.trash.restore.mutate({ id: id ?? "" });
    expect(await readStatus(get(account, slide.id, "thumbnail"))).toEqual([200, null]);
  });
});

describe("what is refused", () => {
  test("pictures that are none, too large, or of no slide", async () => {
    const account = await openLecture();
    const { lectureId } = account;
    const { id } = createSlide();
    await account.trpc.slides.save.mutate({ lectureId, slides: [createSlide({ id })] });
    const small = createPng(8, 8);
    const status = (kind: SlideKind | "huge", body: Uint8Array, slideId = id) =>
      readStatus(put(account, slideId, kind, body));
    const invalid = [400, "validation_failed"];
    const tooLarge = [413, "payload_too_large"];
    expect(await status("full", new TextEncoder().encode("<svg onload='x'/>"))).toEqual(invalid);
    expect(await status("full", new Uint8Array())).toEqual(invalid);
    expect(await status("full", createPng(60_000, 8))).toEqual(invalid);
    expect(await status("thumbnail", createPng(241, 8))).toEqual(invalid);
    expect(await status("full", createPng(8, 8, slidePictureMaxBytes + 1))).toEqual(tooLarge);
    expect(await status("thumbnail", createPng(8, 8, slideThumbnailMaxBytes + 1))).toEqual(
      tooLarge,
    );
    expect(await status("huge", small)).toEqual([404, "not_found"]);
    expect(await status("full", small, "x")).toEqual([404, "not_found"]);
    expect(await status("full", small, crypto.randomUUID())).toEqual([404, "not_found"]);
    expect(await readStatus(get(account, id, "full"))).toEqual([404, "not_found"]);
  });

  test("other people, and programs that may only read", async () => {
    const account = await openLecture();
    const slide = createSlide();
    await account.trpc.slides.save.mutate({ lectureId: account.lectureId, slides: [slide] });
    await storePictures(account, slide.id);
    const stranger = await openSignedIn();
    expect(await readStatus(get(openBrowser(), slide.id, "full"))).toEqual([
      401,
      "unauthenticated",
    ]);
    expect(await readStatus(get(stranger, slide.id, "full"))).toEqual([404, "not_found"]);
    const body = createPng(8, 8);
    expect(await readStatus(put(stranger, slide.id, "full", body))).toEqual([404, "not_found"]);
    const reader = await openProgram(account.user.id, "read");
    expect(await readStatus(get(reader, slide.id, "full"))).toEqual([200, null]);
    expect(await readStatus(put(reader, slide.id, "full", body))).toEqual([403, "scope_required"]);
    const elsewhere = { method: "PUT", body, headers: { "sec-fetch-site": "cross-site" } };
    const attack = account.browser.fetch(`/api/slides/${slide.id}/full`, elsewhere);
    expect(await readStatus(attack)).toEqual([403, "origin_refused"]);
  });

  test("more slides than a lecture may have, and more bytes than an account", async () => {
    const { trpc, lectureId, user, browser } = await openLecture();
    const createSlides = (count: number) => Array.from({ length: count }, () => createSlide());
    const save = (some: NewSlide[]) => trpc.slides.save.mutate({ lectureId, slides: some });
    for (let n = 0; n < slidesMax; n += slidesPerCallMax)
      await save(createSlides(slidesPerCallMax));
    expect(await getErrorData(save(createSlides(1)))).toMatchObject({ appCode: "lecture_full" });
    expect(await getErrorData(save(createSlides(slidesPerCallMax + 1)))).toMatchObject({
      appCode: "validation_failed",
    });
    const [slide, ...others] = await trpc.slides.list.query({ lectureId });
    if (!slide) throw new Error("no slide");
    const { lectureId: _, hasPictures: _has, createdAt: _at, ...known } = slide;
    await save([{ ...known, text: "changed" }]);
    await trpc.slides.delete.mutate({ lectureId, ids: others.map(({ id }) => id) });
    await db
      .update(slides)
      .set({ fullBytes: accountSlideBytesMax })
      .where(eq(slides.userId, user.id));
    expect(await getErrorData(save(createSlides(1)))).toMatchObject({ appCode: "account_full" });
    const picture = put({ browser }, slide.id, "thumbnail", createPng(8, 8));
    expect(await readStatus(picture)).toEqual([409, "account_full"]);
  });
});

test("readers of a share see slides only if its owner allows it", async () => {
  const account = await openLecture();
  const { trpc, lectureId, rowIds } = account;
  const slide = createSlide({ rowId: rowIds[1], text: "Snell" });
  await trpc.slides.save.mutate({ lectureId, slides: [slide, createSlide()] });
  await storePictures(account, slide.id);
  const { code, showsSlides } = await trpc.shares.create.mutate({
    lectureId,
    mode: "until_revoked",
    mayCopy: false,
  });
  expect(showsSlides).toBe(false);
  const reader = openBrowser();
  const list = async () => {
    const response = await reader.browser.fetch(`/api/slides?code=${code}`);
    return ((await response.json()) as SharedSlides).slides;
  };
  expect(await list()).toEqual([]);
  expect(await readStatus(get(reader, slide.id, "full", code))).toEqual([404, "not_found"]);
  const page = await ReaderPage.open({ code });
  await expect.poll(() => page.view?.lecture.title).toBe("Optics");
  expect(page.view?.lecture.slides).toBeUndefined();
  await trpc.shares.change.mutate({ lectureId, showsSlides: true });
  await expect.poll(() => page.view?.lecture.slides).toBeDefined();
  const known = page.view?.lecture.slides;
  const { id, text, width, height } = slide;
  expect(await list()).toEqual([{ id, position: 1, atMs: null, page: null, text, width, height }]);
  expect(await readStatus(get(reader, id, "full", code))).toEqual([200, null]);
  // Another lecture's slide is not in the share.
  const other = await openLecture();
  const secret = createSlide();
  await other.trpc.slides.save.mutate({ lectureId: other.lectureId, slides: [secret] });
  await storePictures(other, secret.id);
  expect(await readStatus(get(reader, secret.id, "full", code))).toEqual([404, "not_found"]);
  const late = createSlide();
  await trpc.slides.save.mutate({ lectureId, slides: [late] });
  await storePictures(account, late.id);
  await expect.poll(() => page.view?.lecture.slides).not.toBe(known);
  await trpc.shares.end.mutate({ lectureId });
  expect(await readStatus(get(reader, id, "full", code))).toEqual([404, "not_found"]);
  expect(await readStatus(get(reader, id, "full", "x"))).toEqual([404, "not_found"]);
});

test("a person who is named sees slides and changes none, until that ends", async () => {
  const owner = await openLecture();
  const { lectureId } = owner;
  const slide = createSlide({ text: "Snell" });
  await owner.trpc.slides.save.mutate({ lectureId, slides: [slide] });
  await storePictures(owner, slide.id);
  const member = await openSignedIn();
  const { email } = member.user;
  const ids = [owner.user.id, member.user.id];
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(inArray(users.id, ids));
  expect(await readStatus(get(member, slide.id, "full"))).toEqual([404, "not_found"]);

  await owner.trpc.people.invite.mutate({ lectureId, email, role: "corrects" });
  expect(await member.trpc.slides.list.query({ lectureId })).toMatchObject([slide]);
  expect((await get(member, slide.id, "full")).status).toBe(200);
  const change = { lectureId, ids: [slide.id] };
  expect(await getErrorData(member.trpc.slides.delete.mutate(change))).toMatchObject({
    appCode: "not_found",
  });
  // The person's own slide with the same id comes first.
  const own = crypto.randomUUID();
  await member.trpc.lectures.create.mutate({ id: own, title: "Own", targetLanguage: "fr" });
  await member.trpc.slides.save.mutate({ lectureId: own, slides: [createSlide({ id: slide.id })] });
  await put(member, slide.id, "thumbnail", createPng(8, 8, 99));
  expect((await (await get(member, slide.id, "thumbnail")).arrayBuffer()).byteLength).toBe(99);
  expect((await (await get(member, slide.id, "full")).arrayBuffer()).byteLength).toBe(1_000);

  await owner.trpc.people.remove.mutate({ lectureId, email });
  expect(await member.trpc.slides.list.query({ lectureId })).toEqual([]);
  expect(await readStatus(get(member, slide.id, "full"))).toEqual([404, "not_found"]);
});
