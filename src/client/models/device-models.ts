import type { DeviceModel } from "./model-source.ts";
import { translationModels } from "./translation-models.ts";

/**
 * The models that this program offers to run on the device, all from the public hub. What is known of each before any
 * of its files is there; lengths and hashes of the files come with the download (`manifest.ts`).
 */

/** Only exports named `_timestamped` have the attention weights from which times of words are computed. */
const whisper = {
  purpose: "speech",
  licence: "Apache-2.0",
  files: [
    "config.json",
    "generation_config.json",
    "preprocessor_config.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "onnx/encoder_model_quantized.onnx",
    "onnx/decoder_model_merged_quantized.onnx",
  ],
} as const;

export const deviceModels: readonly DeviceModel[] = [
  {
    ...whisper,
    id: "whisper-tiny.en",
    name: "Whisper tiny",
    languages: ["en"],
    bytes: 43_520_000,
    repository: "onnx-community/whisper-tiny.en_timestamped",
    revision: "aeaa13760958b03fac5062f457d317d3319c3168",
  },
  {
    ...whisper,
    id: "whisper-base",
    name: "Whisper base",
    languages: ["mul"],
    bytes: 79_640_000,
    repository: "onnx-community/whisper-base_timestamped",
    revision: "608c49e61301901684bc36cac8f74b95ff6b5a8e",
  },
  {
    ...whisper,
    id: "whisper-small",
    name: "Whisper small",
    languages: ["mul"],
    bytes: 251_810_000,
    repository: "onnx-community/whisper-small_timestamped",
    revision: "64da6eb47cafee84d7b8d9c7a5ab2c5a42737598",
  },
  ...translationModels,
];
