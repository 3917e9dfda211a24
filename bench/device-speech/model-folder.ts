import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A model with what reads its files; null: it has no such file. */
export interface Subject {
  paths: readonly string[];
  /** Of all files. */
  bytes: number;
  read(path: string): Promise<Uint8Array | null>;
}

/** The model in `path`, with weights of 8 bits. */
export async function describeFolder(path: string): Promise<Subject> {
  const paths = [
    "config.json",
    "generation_config.json",
    // Only speech models have it.
    ...["preprocessor_config.json"].filter((file) => existsSync(join(path, file))),
    "tokenizer.json",
    "tokenizer_config.json",
    "onnx/encoder_model_quantized.onnx",
    "onnx/decoder_model_merged_quantized.onnx",
  ];
  const sizes = await Promise.all(paths.map(async (file) => (await stat(join(path, file))).size));
  return {
    paths,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    read: (file) => (paths.includes(file) ? readFile(join(path, file)) : Promise.resolve(null)),
  };
}
