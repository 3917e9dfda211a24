import type { TranslationLanguage } from "#shared/languages.ts";
import type { DeviceModel } from "./device-model.ts";

/**
 * Models that translate from English on the device: pairs of OPUS-MT by Helsinki-NLP, as `Xenova` has exported them.
 * Japanese and Korean have none: the only Japanese pair knows little more than the Bible.
 */

interface Pair extends Pick<DeviceModel, "bytes" | "revision" | "licence"> {
  /** The model's name for the language. */
  code: string;
  /** By language, the token by which the model knows it; null: it translates into this language only. */
  targets: Partial<Record<TranslationLanguage, string | null>>;
}

const apache = "Apache-2.0";
const attribution = "CC-BY-4.0";

const pairs: readonly Pair[] = [
  {
    code: "zh",
    targets: { "zh-cn": ">>cmn_Hans<<", zh: ">>cmn_Hant<<" },
    bytes: 119_500_000,
    licence: apache,
    revision: "046f55aec303cdee3e0318604406d4df20f1e8ea",
  },
  {
    code: "es",
    targets: { es: null },
    bytes: 119_500_000,
    licence: apache,
    revision: "6ba9ff2f0a05cfd66072ab1e83ea094b410f3a8c",
  },
  {
    code: "fr",
    targets: { fr: null },
    bytes: 113_250_000,
    licence: apache,
    // Its last commit, cc04992, is known by its beginning only.
    revision: "main",
  },
  {
    code: "de",
    targets: { de: null },
    bytes: 111_750_000,
    licence: attribution,
    revision: "54f31faf88e4d5edb333bca9c3971c21496f3566",
  },
  {
    code: "ru",
    targets: { ru: null },
    bytes: 117_500_000,
    licence: apache,
    revision: "88735d14188d480cade09dce9f662e60e86effbf",
  },
  {
    code: "hi",
    targets: { hi: null },
    bytes: 117_000_000,
    licence: apache,
    revision: "c63e3e12dc0def170f1811d8a4a6de5843198421",
  },
  {
    code: "ar",
    targets: { ar: ">>ara<<" },
    bytes: 117_750_000,
    licence: apache,
    revision: "665d6d37d9998fd81676866b1874a700a38b53c8",
  },
];

export const translationModels: readonly (DeviceModel & Pick<Pair, "targets">)[] = pairs.map(
  ({ code, targets, bytes, licence, revision }) => ({
    ...{ id: `opus-mt-en-${code}`, purpose: "translation", name: `OPUS-MT en-${code}` },
    ...{ languages: ["en"], repository: `Xenova/opus-mt-en-${code}` },
    ...{ targets, bytes, licence, revision, encoder: "q8", decoder: "q8" },
    files: [
      "config.json",
      "generation_config.json",
      "tokenizer_config.json",
      "tokenizer.json",
      "onnx/encoder_model_quantized.onnx",
      "onnx/decoder_model_merged_quantized.onnx",
    ],
  }),
);

/** The model that translates into `language`; null: there is none. */
export const findTranslationModel = (language: TranslationLanguage) =>
  translationModels.find(({ targets }) => language in targets) ?? null;
