import { beforeEach, describe, expect, it, vi } from "vitest";
import { findTranslationModel } from "#client/models/translation-models.ts";
import type { TranslationRequest } from "#client/recognition/device/speech-model-messages.ts";
import { DeviceTranslators } from "#client/translation/device/device-translators.ts";
import type { TranslationModel } from "#client/translation/device/translation-model.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const { signal } = new AbortController();

class FakeModel implements TranslationModel {
  hasEnded = false;
  readonly translate = vi.fn(async ({ text, target }: TranslationRequest) =>
    this.hasEnded ? Promise.reject(new Error("ended")) : `${target ?? "-"} ${text}`,
  );
  readonly isOpen = () => !this.hasEnded;
  readonly dispose = vi.fn();
}

let models: Map<string, FakeModel | Error | null>;
let translators: DeviceTranslators;
const openModel = vi.fn(async ({ id }: { id: string }) => {
  const model = models.get(id) ?? null;
  if (model instanceof Error) throw model;
  return model;
});
beforeEach(() => {
  openModel.mockClear();
  models = new Map();
  translators = new DeviceTranslators({
    log: { warn() {} },
    findModel: findTranslationModel,
    openModel,
  });
});

const addModel = (id: string) => {
  const model = new FakeModel();
  models.set(id, model);
  return model;
};
const fromEnglish = (targetLanguage: TranslationLanguage) =>
  ({ sourceLanguage: "en", targetLanguage }) as const;
const translate = (targetLanguage: TranslationLanguage, text = "Hello. Good morning!") =>
  translators.translate(
    { text, ...fromEnglish(targetLanguage), context: "", wordContext: "" },
    signal,
  );
const getKind = (language: TranslationLanguage) =>
  translators.states.get().get(`en>${language}`)?.kind;
const waitForKind = (language: TranslationLanguage, kind: string) =>
  waitFor(() => expect(getKind(language)).toBe(kind));

describe("translators on this device", () => {
  it("open a stored model once, for all of its languages", async () => {
    addModel("opus-mt-en-zh");
    expect(translators.getState(fromEnglish("zh-cn"))).toBe("preparing");
    expect(translators.getState(fromEnglish("zh"))).toBe("preparing");
    await waitForKind("zh-cn", "ready");
    expect(translators.getState(fromEnglish("zh"))).toBe("ready");
    expect(openModel).toHaveBeenCalledOnce();
  });

  it("translate sentence by sentence, with the language's token", async () => {
    addModel("opus-mt-en-zh");
    await translators.prepare(fromEnglish("zh-cn"));
    expect(await translate("zh-cn")).toBe(">>cmn_Hans<< Hello.>>cmn_Hans<< Good morning!");
    expect(await translate("zh")).toBe(">>cmn_Hant<< Hello.>>cmn_Hant<< Good morning!");
    addModel("opus-mt-en-de");
    await translators.prepare(fromEnglish("de"));
    expect(await translate("de")).toBe("- Hello. - Good morning!");
  });

  it("translate into English too, by the sentence rules of what is spoken", async () => {
    addModel("opus-mt-de-en");
    const pair = { sourceLanguage: "de", targetLanguage: "en" } as const;
    await translators.prepare(pair);
    const text = "Am 3. Mai kam Dr. Meyer. Danach ging er.";
    const input = { text, ...pair, context: "", wordContext: "" };
    expect(await translators.translate(input, signal)).toBe(
      "- Am 3. Mai kam Dr. Meyer. - Danach ging er.",
    );
    await expect(translate("de")).rejects.toThrow("not ready");
    for (const sourceLanguage of ["de", "ja"] as const)
      expect(translators.getState({ sourceLanguage, targetLanguage: "fr" })).toBe("unavailable");
  });

  it("have no model for some languages", () => {
    expect(translators.getState(fromEnglish("ja"))).toBe("unavailable");
    expect(openModel).not.toHaveBeenCalled();
  });

  it.each([
    ["is not stored", null],
    ["fails", new Error("damaged")],
  ])("are unavailable where a model %s, until it is prepared again", async (_, problem) => {
    models.set("opus-mt-en-es", problem);
    translators.getState(fromEnglish("es"));
    await waitForKind("es", "failed");
    expect(translators.getState(fromEnglish("es"))).toBe("unavailable");
    expect(openModel).toHaveBeenCalledOnce();
    addModel("opus-mt-en-es");
    await translators.prepare(fromEnglish("es"));
    expect(translators.getState(fromEnglish("es"))).toBe("ready");
  });

  it("try again when what is stored has changed", async () => {
    await translators.prepare(fromEnglish("es"));
    addModel("opus-mt-en-es");
    translators.update(["opus-mt-en-es"]);
    expect(translators.getState(fromEnglish("es"))).toBe("preparing");
    await waitForKind("es", "ready");
  });

  it("keep one model in memory, and leave it while it translates", async () => {
    const german = addModel("opus-mt-en-de");
    addModel("opus-mt-en-fr");
    await translators.prepare(fromEnglish("de"));
    let finish = (_text: string) => {};
    german.translate.mockReturnValueOnce(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    const translating = translate("de", "Hello.");
    expect(translators.getState(fromEnglish("fr"))).toBe("preparing");
    expect(german.dispose).not.toHaveBeenCalled();
    finish("Hallo.");
    expect(await translating).toBe("Hallo.");
    expect(translators.getState(fromEnglish("fr"))).toBe("preparing");
    expect(german.dispose).toHaveBeenCalledOnce();
    await waitForKind("fr", "ready");
    await expect(translate("de")).rejects.toThrow("not ready");
  });

  it("leave a model that works in memory after another one has failed", async () => {
    const german = addModel("opus-mt-en-de");
    models.set("opus-mt-en-fr", new Error("damaged"));
    translators.getState(fromEnglish("fr"));
    await waitForKind("fr", "failed");
    translators.getState(fromEnglish("de"));
    await waitForKind("de", "ready");
    expect(translators.getState(fromEnglish("fr"))).toBe("unavailable");
    expect(translators.getState(fromEnglish("de"))).toBe("ready");
    expect(german.dispose).not.toHaveBeenCalled();
    expect(openModel).toHaveBeenCalledTimes(2);
  });

  it("close a model that is deleted, and leave others", async () => {
    const german = addModel("opus-mt-en-de");
    await translators.prepare(fromEnglish("de"));
    translators.update(["opus-mt-en-de", "opus-mt-en-fr"]);
    expect(translators.getState(fromEnglish("de"))).toBe("ready");
    translators.update(["opus-mt-en-fr"]);
    expect(german.dispose).toHaveBeenCalledOnce();
    expect(getKind("de")).toBeUndefined();
  });

  it("are unavailable after a model's worker has ended", async () => {
    const german = addModel("opus-mt-en-de");
    await translators.prepare(fromEnglish("de"));
    german.translate.mockRejectedValueOnce(new Error("one sentence"));
    await expect(translate("de")).rejects.toThrow("one sentence");
    expect(translators.getState(fromEnglish("de"))).toBe("ready");
    german.hasEnded = true;
    await expect(translate("de")).rejects.toThrow("ended");
    expect(translators.getState(fromEnglish("de"))).toBe("unavailable");
  });
});
