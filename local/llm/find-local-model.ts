import { askWindow, selectWindow } from "./ask-window.ts";
import { checkModel } from "./check-model.ts";
import { type ListedModel, listModels } from "./list-models.ts";

/** Language model servers that people run on their own machine, at their standard addresses. */
const servers = [
  { name: "Ollama", url: "http://127.0.0.1:11434/v1" },
  { name: "LM Studio", url: "http://127.0.0.1:1234/v1" },
  { name: "llama.cpp", url: "http://127.0.0.1:8080/v1" },
];

export interface LocalModel {
  /** The server's name. */
  server: string;
  /** Base URL of its Chat Completions endpoint. */
  url: string;
  model: string;
  /** Its window in tokens; null if the server does not say it. */
  window: number | null;
}

/** A model that is not used, and why. */
export interface LeftOutModel {
  server: string;
  model: string;
  why: string;
}

/** Time for a model's translation; it may have to be loaded first. */
const checkMs = 15_000;
/** Time for those of all models. */
const checksMs = 30_000;

/**
 * Looks for a model on this machine that translates. It may be asked again: a model that was found unfit is not checked
 * twice.
 */
export class LocalModelSearch {
  /** Why the model that was found is used; empty without one. */
  why = "";
  /** Those that were not found fit in the latest search. */
  leftOut: readonly LeftOutModel[] = [];
  readonly #unfit = new Set<string>();

  constructor(
    private readonly env: Record<string, string | undefined>,
    private readonly candidates = servers,
    private readonly check: typeof checkModel = checkModel,
  ) {}

  /**
   * The first model of the servers, in their order, that translates a sentence; those that read pictures as well come last.
   * Where none does, the first one that has not answered. Null without one, and where the environment names a language
   * model itself (`LLM_…`) or forbids the search (`LOCAL_LLM=off`).
   */
  async find(): Promise<LocalModel | null> {
    const { LOCAL_LLM, LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = this.env;
    if (LOCAL_LLM === "off" || LLM_BASE_URL || LLM_API_KEY || LLM_MODEL) return null;
    const listed = await Promise.all(
      this.candidates.map(async (server) => ({ ...server, models: await listModels(server.url) })),
    );
    const leftOut: LeftOutModel[] = [];
    const fit: { server: string; url: string; model: string }[] = [];
    for (const { name: server, url, models } of listed)
      for (const { id: model, unfit } of orderModels(models ?? []))
        if (unfit === null) fit.push({ server, url, model });
        else leftOut.push({ server, model, why: unfit });
    const chosen = await this.#choose(fit, leftOut);
    this.leftOut = leftOut;
    this.why = chosen?.why ?? "";
    if (chosen === null) return null;
    const { server, url, model } = chosen.model;
    // A server knows the window of a model that it has loaded.
    return { server, url, model, window: await askWindow(url, model) };
  }

  /** Adds the models that answer with no translation to `leftOut`. */
  async #choose(
    fit: readonly { server: string; url: string; model: string }[],
    leftOut: LeftOutModel[],
  ) {
    const end = AbortSignal.timeout(checksMs);
    const silent: (typeof fit)[number][] = [];
    let translator: (typeof fit)[number] | null = null;
    for (const one of fit) {
      const { server, url, model } = one;
      const key = `${url} ${model}`;
      const signal = AbortSignal.any([end, AbortSignal.timeout(checkMs)]);
      const result = this.#unfit.has(key) ? "fails" : await this.check(url, model, signal);
      if (result === "translates") {
        translator = one;
        break;
      }
      if (result === "silent") {
        silent.push(one);
        continue;
      }
      this.#unfit.add(key);
      leftOut.push({ server, model, why: "its answer to a sentence was no translation" });
    }
    const [first, ...others] = silent;
    const unanswered = translator === null ? others : silent;
    for (const { server, model } of unanswered)
      leftOut.push({ server, model, why: "it did not answer" });
    if (translator !== null) return { model: translator, why: "it has translated a sentence" };
    return first === undefined ? null : { model: first, why: "it has not answered yet" };
  }
}

/** As listed; those that read pictures as well come last. */
const orderModels = (models: readonly ListedModel[]) =>
  models.toSorted((a, b) => Number(a.readsPictures) - Number(b.readsPictures));

/** As `LocalModelSearch.find`. */
export const findLocalModel = (
  ...search: ConstructorParameters<typeof LocalModelSearch>
): Promise<LocalModel | null> => new LocalModelSearch(...search).find();

/**
 * The settings of the worker with which it uses `model`. A window in `env` goes first.
 *
 * @throws Error as `selectWindow`
 */
export const toSettings = (
  { server, url, model, window }: LocalModel,
  env: Record<string, string | undefined> = {},
): Record<string, string> => ({
  LLM_BASE_URL: url,
  LLM_MODEL: model,
  // Ollama's default, which is smaller than the window of the services.
  LLM_CONTEXT_TOKENS: "4096",
  ...selectWindow(env, window, server),
});
