import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFile } from "#client/sound/media-files/file-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A file that gives its bytes when they are there. */
function createFile() {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
  promise.catch(() => {});
  const part = { arrayBuffer: () => promise };
  const file = { slice: () => part } as unknown as Blob;
  return { file, give: () => resolve(new ArrayBuffer(1)), refuse: () => reject(new Error("gone")) };
}

test("tells again and again that a file does not come, until it has come", async () => {
  const { file, give } = createFile();
  const tell = vi.fn();
  const end = watchFile(file, tell);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(tell).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tell.mock.calls.length).toBeGreaterThanOrEqual(10);
  give();
  await vi.advanceTimersByTimeAsync(0);
  tell.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tell).not.toHaveBeenCalled();
  end();
});

test("says nothing of a file that is there, or is refused", async () => {
  const tell = vi.fn();
  const { file, refuse } = createFile();
  refuse();
  const ends = [watchFile(new Blob(["sound"]), tell), watchFile(file, tell)];
  await vi.advanceTimersByTimeAsync(30_000);
  expect(tell).not.toHaveBeenCalled();
  for (const end of ends) end();
});

test("ends when it is told to", async () => {
  const tell = vi.fn();
  watchFile(createFile().file, tell)();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tell).not.toHaveBeenCalled();
});
