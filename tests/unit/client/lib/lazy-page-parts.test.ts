// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { lazyPage } from "#client/lib/lazy-page.ts";

const isFirstPageShown = vi.hoisted(() => vi.fn());
vi.mock("#client/lib/after-first-paint.ts", async (load) => ({
  ...(await load()),
  isFirstPageShown,
}));

beforeEach(() => void isFirstPageShown.mockReturnValue(false));

/** Loads a page with one part, and says whether the page has come before the part. */
async function isShownBeforePart(inOnePiece: boolean): Promise<boolean> {
  const part = Promise.withResolvers<void>();
  const preload = vi.fn(() => part.promise);
  const page = lazyPage(async () => ({ default: () => null, parts: [{ preload }], inOnePiece }));
  let isShown = false;
  const loading = page.preload?.()?.then(() => {
    isShown = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(preload).toHaveBeenCalledOnce();
  const before = isShown;
  part.resolve();
  await loading;
  expect(isShown).toBe(true);
  return before;
}

it.each([
  ["the first page", false, false, true],
  ["a first page in one piece", false, true, false],
  ["a later page", true, false, false],
])(
  "shows %s before its parts, or with them (%s, %s, %s)",
  async (_name, isLater, inOnePiece, isBefore) => {
    isFirstPageShown.mockReturnValue(isLater);
    expect(await isShownBeforePart(inOnePiece)).toBe(isBefore);
  },
);

it("shows a page whose part cannot be fetched", async () => {
  isFirstPageShown.mockReturnValue(true);
  const preload = () => Promise.reject(new Error("offline"));
  const page = lazyPage(async () => ({ default: () => "shown", parts: [{ preload }] }));
  await page.preload?.();
  expect(page({})).toMatchObject({ props: {} });
});
