import {
  type SpokenLanguage,
  type TranslationLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import type { TranslationPair } from "#shared/translation-pairs.ts";
import type { DeviceModel } from "./model-source.ts";

/**
 * Models that translate on the device, from English or into it: pairs of OPUS-MT by Helsinki-NLP, as `Xenova` has exported
 * them. A pair is here only if its commit is known (docs/decisions/0052-translation-on-this-device.md).
 */

interface TranslationModelOffer extends DeviceModel {
  sourceLanguage: SpokenLanguage;
  /** By language, the token by which the model knows it; null: it translates into this language only. */
  targets: Partial<Record<TranslationLanguage, string | null>>;
}

const apache = "Apache-2.0";
const attribution = "CC-BY-4.0";

/** The model's name for the two languages, what it translates into, bytes, licence and commit. */
const pairs: readonly [
  code: `${SpokenLanguage}-${string}`,
  targets: TranslationModelOffer["targets"],
  bytes: number,
  licence: string,
  revision: string,
][] = [
  [
    "en-zh",
    { "zh-cn": ">>cmn_Hans<<", zh: ">>cmn_Hant<<" },
    119_500_000,
    apache,
    "046f55aec303cdee3e0318604406d4df20f1e8ea",
  ],
  ["en-es", { es: null }, 119_500_000, apache, "6ba9ff2f0a05cfd66072ab1e83ea094b410f3a8c"],
  // Its last commit, cc04992, is known by its beginning only.
  ["en-fr", { fr: null }, 113_250_000, apache, "main"],
  ["en-de", { de: null }, 111_750_000, attribution, "54f31faf88e4d5edb333bca9c3971c21496f3566"],
  ["en-ru", { ru: null }, 117_500_000, apache, "88735d14188d480cade09dce9f662e60e86effbf"],
  ["en-hi", { hi: null }, 117_000_000, apache, "c63e3e12dc0def170f1811d8a4a6de5843198421"],
  ["en-ar", { ar: ">>ara<<" }, 117_750_000, apache, "665d6d37d9998fd81676866b1874a700a38b53c8"],
  ["de-en", { en: null }, 111_750_000, apache, "399dfd68706739fffd503f876093e455ae268a06"],
  ["es-en", { en: null }, 119_500_000, apache, "eadfd7c658a9d8929ac3b8e996b68a68e2c7d480"],
  ["fr-en", { en: null }, 113_250_000, apache, "6b166a182780e118c997879d0ad5be4b53671644"],
  ["it-en", { en: null }, 137_000_000, apache, "fd0b89b9c052adc1f2f64152f555aa17353728be"],
  ["nl-en", { en: null }, 121_750_000, apache, "82c42d95d1508037cbe7172d85fd4e940a2f3584"],
  ["pl-en", { en: null }, 117_750_000, apache, "aeaf0e003b045248c28a559a5ce6027b54ebdaba"],
  ["ru-en", { en: null }, 118_000_000, attribution, "afe8c6c738ec81b6d033fd8f44f9678a639a7c67"],
];

export const translationModels = pairs.map(
  ([code, targets, bytes, licence, revision]): TranslationModelOffer => {
    const sourceLanguage = code.slice(0, 2) as SpokenLanguage;
    return {
      id: `opus-mt-${code}`,
      purpose: "translation",
      name: `OPUS-MT ${code}`,
      languages: [sourceLanguage],
      repository: `Xenova/opus-mt-${code}`,
      sourceLanguage,
      targets,
      bytes,
      licence,
      revision,
      files: [
        "config.json",
        "generation_config.json",
        "tokenizer_config.json",
        "tokenizer.json",
        "onnx/encoder_model_quantized.onnx",
        "onnx/decoder_model_merged_quantized.onnx",
      ],
    };
  },
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
}: Pick<TranslationModelOffer, "sourceLanguage" | "targets">): TranslationPair[] =>
  translationLanguages.flatMap((targetLanguage) =>
    targetLanguage in targets ? [{ sourceLanguage, targetLanguage }] : [],
  );
