import { z } from "zod";

/** What the servers on a person's own machine say of their models. No model is loaded for it. */

export interface ListedModel {
  id: string;
  /** Why it is not to translate; null if it may. */
  unfit: string | null;
  /** It reads pictures as well. */
  readsPictures: boolean;
}

const answerTimeoutMs = 500;
/** More are not asked about one by one. */
const modelsMax = 40;

const strings = z.array(z.string()).catch([]);
/** A list of names, or an object with a flag for each (Mistral). */
const capabilities = z
  .union([
    z.array(z.string()),
    z
      .record(z.string(), z.unknown())
      .transform((flags) =>
        Object.entries(flags).flatMap(([name, isSet]) => (isSet === true ? [name] : [])),
      ),
  ])
  .catch([]);

/** OpenAI's list, with what servers add to it. llama.cpp has a second list, with capabilities. */
const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional().catch(undefined),
      capabilities: capabilities.optional(),
      architecture: z.object({ output_modalities: strings }).optional().catch(undefined),
    }),
  ),
  models: z
    .array(z.object({ model: z.string(), capabilities: capabilities.optional() }))
    .optional()
    .catch(undefined),
});
/** LM Studio's own list: https://lmstudio.ai/docs/developer/rest/endpoints */
const studioList = z.object({ data: z.array(z.object({ id: z.string(), type: z.string() })) });
/** https://docs.ollama.com/api-reference/show-model-details; `remote_…`: the model is in Ollama's cloud. */
const ollamaModel = z.object({
  capabilities: capabilities.optional(),
  remote_host: z.string().optional(),
  remote_model: z.string().optional(),
});

/** What is known of a model beside its name. */
interface Facts {
  capabilities: readonly string[];
  type: string | undefined;
  isRemote: boolean;
}

/** The models at a Chat Completions address, as `http://127.0.0.1:8080/v1`. Null if there is no such server. */
export async function listModels(url: string): Promise<ListedModel[] | null> {
  const list = await fetchJson(modelList, `${url}/models`);
  if (list === null) return null;
  const { origin } = new URL(url);
  const studio = await fetchJson(studioList, `${origin}/api/v0/models`);
  const ask = async (entry: (typeof list)["data"][number], at: number): Promise<ListedModel> => {
    const { id, architecture } = entry;
    const body = JSON.stringify({ model: id });
    const shown =
      studio !== null || at >= modelsMax
        ? null
        : await fetchJson(ollamaModel, `${origin}/api/show`, { method: "POST", body });
    const beside = list.models?.find(({ model }) => model === id);
    const said = [entry.capabilities, beside?.capabilities, shown?.capabilities].flat();
    const isRemote = Boolean(shown?.remote_host || shown?.remote_model);
    return judgeModel(id, {
      capabilities: said.flatMap((name) => (name === undefined ? [] : name.toLowerCase())),
      type: studio?.data.find((model) => model.id === id)?.type ?? toType(entry.type, architecture),
      isRemote,
    });
  };
  return Promise.all(list.data.map(ask));
}

/** Of an entry with the kinds of output, those without text are no model for text. */
const toType = (type: string | undefined, architecture?: { output_modalities: string[] }) => {
  const outputs = architecture?.output_modalities ?? [];
  return outputs.length > 0 && !outputs.includes("text") ? outputs.join() : type;
};

const reasons = {
  cloud: "it answers on another machine",
  embeds: "it embeds texts",
  ranks: "it ranks texts",
  guards: "it judges texts",
  pictures: "it reads texts in pictures",
  sound: "it is for sound or pictures",
  other: "it answers no chat",
};

/** What the names of models say that answer a chat and are made for something else. */
const specialNames: readonly [RegExp, string][] = [
  [/[-:]cloud$/i, reasons.cloud],
  [/guard|shield|moderation/i, reasons.guards],
  [/ocr|docling|nougat|florence|moondream/i, reasons.pictures],
];
/** What they say of models of which the server says nothing. */
const silentNames: readonly [RegExp, string][] = [
  [/rerank|cross-encoder/i, reasons.ranks],
  [/embed|bge-|minilm|paraphrase|labse|sentence-t5|(?:^|[/-])(?:e5|gte)-/i, reasons.embeds],
  [/whisper|parakeet|(?:^|[/-])(?:tts|asr)|tts-|clip|diffusion|flux/i, reasons.sound],
];
const pictureNames = /llava|minicpm-v|pixtral|internvl|vision|vl(?:[:-]|$)/i;
const chatCapability = /^(?:completion|completion_chat|chat|generate|generation|text-generation)$/;
const chatTypes = ["llm", "vlm", "chat", "language", "model", "text"];

function judgeModel(id: string, { capabilities: said, type, isRemote }: Facts): ListedModel {
  const findName = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(id))?.[1] ?? null;
  const says = (pattern: RegExp) =>
    pattern.test(type ?? "") || said.some((one) => pattern.test(one));
  const readsPictures = type === "vlm" || says(/vision|multimodal/) || pictureNames.test(id);
  const getUnfit = () => {
    if (isRemote) return reasons.cloud;
    const special = findName(specialNames);
    if (special !== null) return special;
    const answersChat = said.some((one) => chatCapability.test(one));
    if (answersChat || (type !== undefined && chatTypes.includes(type))) return null;
    if (says(/embed/)) return reasons.embeds;
    if (says(/rank/)) return reasons.ranks;
    if (said.length > 0 || type !== undefined) return reasons.other;
    return findName(silentNames);
  };
  return { id, unfit: getUnfit(), readsPictures };
}

/** Null without an answer that fits. */
async function fetchJson<Schema extends z.ZodType>(
  schema: Schema,
  url: string,
  init: RequestInit = {},
): Promise<z.infer<Schema> | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerTimeoutMs) });
    return response.ok ? schema.parse(await response.json()) : null;
  } catch {
    return null;
  }
}
