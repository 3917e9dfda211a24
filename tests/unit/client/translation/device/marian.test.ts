import { beforeAll, describe, expect, it, vi } from "vitest";
import { loadMarian } from "#client/translation/device/marian.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { toBlobs } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import {
  createTinyTranslationModel,
  targetTokens,
} from "#tests/fixtures/translation-model/tiny-translation-model.ts";

const tiny = createTinyTranslationModel();

function load(replace: Record<string, string | null> = {}) {
  const contents = toBlobs(tiny);
  for (const [path, content] of Object.entries(replace)) {
    if (content === null) contents.delete(path);
    else contents.set(path, new Blob([content]));
  }
  return loadMarian(contents, loadNodeRuntime, () => {});
}

describe("a Marian model", () => {
  let model: Awaited<ReturnType<typeof load>>;
  beforeAll(async () => {
    model = await load();
  });
  const translate = (text: string, target: string | null = null) =>
    model({ text, target }, async () => {});

  it("translates the words of a sentence in their order", async () => {
    expect(await translate("three one two.")).toBe("s3 s1 s2.");
    expect(await translate("two two two two two")).toBe("s2 s2 s2 s2 s2");
  });

  it("translates into the language of the target's token", async () => {
    expect(await translate("three one", targetTokens.hans)).toBe("s3 s1");
    expect(await translate("three one", targetTokens.hant)).toBe("t3 t1");
    expect(await translate("three one", ">>unknown<<")).toBe("s3 s1");
  });

  it("tries again without repetitions where it repeats itself", async () => {
    expect(await translate("one again two")).toMatch(/^s1( again){1,3}$/);
  });

  it("fails where it does not end, and does not go on for long", async () => {
    let steps = 0;
    const endless = model({ text: "endless one", target: null }, async () => void steps++);
    await expect(endless).rejects.toMatchObject({ code: "failed" });
    expect(steps).toBeLessThan(100);
    expect(await translate("one")).toBe("s1");
  });

  it("ends in the middle of a sentence when it is told to, and translates the next one", async () => {
    let steps = 0;
    const reason = new Error("no longer wanted");
    const translating = model({ text: "one two three four", target: null }, async () => {
      if (++steps === 3) throw reason;
    });
    await expect(translating).rejects.toBe(reason);
    expect(steps).toBe(3);
    expect(await translate("four")).toBe("s4");
  });
});

describe("loading", () => {
  it("fetches nothing, and says that files are damaged", async () => {
    const fetching = vi.spyOn(globalThis, "fetch");
    await load();
    const damaged: Record<string, string | null>[] = [
      { "tokenizer.json": null },
      { "config.json": "<!doctype html>" },
      { "onnx/encoder_model_quantized.onnx": "<!doctype html>" },
    ];
    for (const replace of damaged)
      await expect(load(replace)).rejects.toMatchObject({ code: "damaged" });
    expect(fetching).not.toHaveBeenCalled();
    fetching.mockRestore();
  });
});
