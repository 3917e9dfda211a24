/** What has to be known of a speech model to open it. */
export interface ModelDescription {
  encoder: WeightType;
  decoder: WeightType;
  /** All files that the model needs, and no others. */
  files: readonly ModelFile[];
}

export interface ModelFile {
  /** Below the model's folder: `config.json`, `onnx/decoder_model_merged_quantized.onnx`. */
  path: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * How a network's weights are stored, by transformers.js's names. The end of the file's name follows from it:
 * none for `fp32`, `_quantized` for `q8`, `_q4` and so on for the others.
 */
export type WeightType = "fp32" | "fp16" | "q8" | "q4" | "q4f16";

/** The stored files of one model. */
export interface ModelFiles {
  /**
   * A stored file whose length and hash were right when it was stored, by its path in the model's folder, such as
   * `onnx/encoder_model_quantized.onnx`. Null when it is not stored.
   */
  read(path: string): Promise<Blob | null>;
}
