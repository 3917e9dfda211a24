import {
  type SpokenLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";
import type { DeviceModel } from "./device-model.ts";

/**
 * Models that translate on the device, from English or into it: pairs of OPUS-MT by Helsinki-NLP, as `Xenova` has exported
 * them. A pair is here only if its commit is known (docs/decisions/0052-translation-on-this-device.md).
 */

interface Pair extends Pick<DeviceModel, "bytes" | "revision" | "licence"> {
  sourceLanguage: SpokenLanguage;
  /** The model's name for the two languages. */
  code: string;
  /** By language, the token by which the model knows it; null: it translates into this language only. */
  targets: Partial<Record<TranslationLanguage, string | null>>;
}

const apache = "Apache-2.0";
const attribution = "CC-BY-4.0";

/** Models that translate into English: the language, bytes, licence and commit. */
const intoEnglish: readonly [SpokenLanguage, number, string, string][] = [
  ["de", 111_750_000, apache, "399dfd68706739fffd503f876093e455ae268a06"],
  ["es", 119_500_000, apache, "eadfd7c658a9d8929ac3b8e996b68a68e2c7d480"],
  ["fr", 113_250_000, apache, "6b166a182780e118c997879d0ad5be4b53671644"],
  ["it", 137_000_000, apache, "fd0b89b9c052adc1f2f64152f555aa17353728be"],
  ["nl", 121_750_000, apache, "82c42d95d1508037cbe7172d85fd4e940a2f3584"],
  ["pl", 117_750_000, apache, "aeaf0e003b045248c28a559a5ce6027b54ebdaba"],
  ["ru", 118_000_000, attribution, "afe8c6c738ec81b6d033fd8f44f9678a639a7c67"],
];

const pairs: readonly Pair[] = [
  {
    sourceLanguage: "en",
    code: "en-zh",
    targets: { "zh-cn": ">>cmn_Hans<<", zh: ">>cmn_Hant<<" },
    bytes: 119_500_000,
    licence: apache,
    revision: "046f55aec303cdee3e0318604406d4df20f1e8ea",
  },
  {
    sourceLanguage: "en",
    code: "en-es",
    targets: { es: null },
    bytes: 119_500_000,
    licence: apache,
    revision: "6ba9ff2f0a05cfd66072ab1e83ea094b410f3a8c",
  },
  {
    sourceLanguage: "en",
    code: "en-fr",
    targets: { fr: null },
    bytes: 113_250_000,
    licence: apache,
    // Its last commit, cc04992, is known by its beginning only.
    revision: "main",
  },
  {
    sourceLanguage: "en",
    code: "en-de",
    targets: { de: null },
    bytes: 111_750_000,
    licence: attribution,
    revision: "54f31faf88e4d5edb333bca9c3971c21496f3566",
  },
  {
    sourceLanguage: "en",
    code: "en-ru",
    targets: { ru: null },
    bytes: 117_500_000,
    licence: apache,
    revision: "88735d14188d480cade09dce9f662e60e86effbf",
  },
  {
    sourceLanguage: "en",
    code: "en-hi",
    targets: { hi: null },
    bytes: 117_000_000,
    licence: apache,
    revision: "c63e3e12dc0def170f1811d8a4a6de5843198421",
  },
  {
    sourceLanguage: "en",
    code: "en-ar",
    targets: { ar: ">>ara<<" },
    bytes: 117_750_000,
    licence: apache,
    revision: "665d6d37d9998fd81676866b1874a700a38b53c8",
  },
  ...intoEnglish.map(([sourceLanguage, bytes, licence, revision]) => ({
    ...{ sourceLanguage, code: `${sourceLanguage}-en`, targets: { en: null } },
    ...{ bytes, licence, revision },
  })),
];

export const translationModels: readonly (DeviceModel &
  Pick<Pair, "sourceLanguage" | "targets">)[] = pairs.map(
  ({ sourceLanguage, code, targets, bytes, licence, revision }) => ({
    ...{ id: `opus-mt-${code}`, purpose: "translation", name: `OPUS-MT ${code}` },
    ...{ languages: [sourceLanguage], repository: `Xenova/opus-mt-${code}` },
    ...{ sourceLanguage, targets, bytes, licence, revision, encoder: "q8", decoder: "q8" },
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

/** The model that translates a pair; null: there is none. */
export const findTranslationModel = ({ sourceLanguage, targetLanguage }: TranslationPair) =>
  translationModels.find(
    (model) => model.sourceLanguage === sourceLanguage && targetLanguage in model.targets,
  ) ?? null;

/** The pairs that a model translates. */
export const listModelPairs = ({
  sourceLanguage,
  targets,
}: Pick<Pair, "sourceLanguage" | "targets">): TranslationPair[] =>
  translationLanguages.flatMap((targetLanguage) =>
    targetLanguage in targets ? [{ sourceLanguage, targetLanguage }] : [],
  );
