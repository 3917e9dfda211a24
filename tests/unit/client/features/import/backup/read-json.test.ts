import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson, readJsonItems } from "#client/features/import/backup/read-json.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const bounds = { bytes: 100_000, marks: 10_000 };

/** `text` in pieces of `size` bytes, of which `taken` counts those that were read. */
function toBlocks(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  const state = { taken: 0 };
  async function* read() {
    for (let at = 0; at < bytes.byteLength; at += size) {
      const block = bytes.slice(at, at + size);
      state.taken += block.byteLength;
      yield block;
    }
  }
  return { state, blocks: read() };
}

async function readItems(text: string, size = 7): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of readJsonItems(toBlocks(text, size).blocks, bounds)) items.push(item);
  return items;
}

describe("JSON in pieces", () => {
  it("has the values that JSON.parse gives, however it is divided", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 })),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 1),
        async (values, size, indent) => {
          const text = JSON.stringify(values, null, indent);
          expect(await readItems(text, size)).toEqual(JSON.parse(text));
          expect(await readJson(toBlocks(text, size).blocks, bounds)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: countRuns(200) },
    );
  });

  it.each(["", " ", "{}", "[1", "[1,", "[1,]", "[,]", "[1] 2", "[1]]", '["a]', "[1}", "[]["])(
    "is refused as a list: %s",
    async (text) => {
      await expect(readItems(text)).rejects.toMatchObject({ problem: "broken" });
    },
  );

  it.each<[name: string, text: string]>([
    ["bytes", `"${"a".repeat(900_000)}"`],
    ["values", `[${"{},".repeat(300_000)}0]`],
    ["keys", `{${'"a":0,'.repeat(150_000)}"a":0}`],
    ["depth", "[".repeat(900_000)],
  ])("is read no further than its bound of %s", async (_, text) => {
    const { state, blocks } = toBlocks(text, 1_000);
    await expect(readJson(blocks, bounds)).rejects.toMatchObject({ problem: "unsafe" });
    expect(state.taken).toBeLessThanOrEqual(bounds.bytes + 1_000);
  });

  it("has bounds for each item of a list, and none for their number", async () => {
    expect(await readItems(`[${"[1],".repeat(20_000)}0]`, 1_000)).toHaveLength(20_001);
    const { state, blocks } = toBlocks(`[0,"${"a".repeat(900_000)}"]`, 1_000);
    const items = readJsonItems(blocks, bounds);
    expect((await items.next()).value).toBe(0);
    await expect(items.next()).rejects.toMatchObject({ problem: "unsafe" });
    expect(state.taken).toBeLessThan(bounds.bytes + 2_000);
  });
});
