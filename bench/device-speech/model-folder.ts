import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  ModelDescription,
  WeightType,
} from "#client/realtime/device-speech/model-description.ts";

/** A model with what reads its files; null: it has no such file. */
export interface Subject {
  description: ModelDescription;
  read(path: string): Promise<Uint8Array | null>;
}

const suffixes: Record<WeightType, string> = {
  q8: "_quantized",
  q4f16: "_q4f16",
  q4: "_q4",
  fp16: "_fp16",
  fp32: "",
};

/** The model in `path`, with the smallest weights that are there, in the order of `suffixes`. */
export async function describeFolder(path: string): Promise<Subject> {
  const findType = (network: string): WeightType => {
    const found = (Object.keys(suffixes) as WeightType[]).find((type) =>
      existsSync(join(path, `onnx/${network}${suffixes[type]}.onnx`)),
    );
    if (found === undefined) throw new Error(`${path} has no onnx/${network}*.onnx`);
    return found;
  };
  const encoder = findType("encoder_model");
  const decoder = findType("decoder_model_merged");
  const paths = [
    "config.json",
    "generation_config.json",
    // Only speech models have it.
    ...["preprocessor_config.json"].filter((file) => existsSync(join(path, file))),
    "tokenizer.json",
    "tokenizer_config.json",
    `onnx/encoder_model${suffixes[encoder]}.onnx`,
    `onnx/decoder_model_merged${suffixes[decoder]}.onnx`,
  ];
  const files = await Promise.all(
    paths.map(async (file) => ({
      path: file,
      bytes: (await stat(join(path, file))).size,
      sha256: "",
    })),
  );
  return {
    description: { encoder, decoder, files },
    read: (file) => (paths.includes(file) ? readFile(join(path, file)) : Promise.resolve(null)),
  };
}
