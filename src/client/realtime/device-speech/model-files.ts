/** The stored files of one model. */
export interface ModelFiles {
  /**
   * A stored file whose length and hash were right when it was stored, by its path in the model's folder, such as
   * `onnx/encoder_model_quantized.onnx`. Null when it is not stored.
   */
  read(path: string): Promise<Blob | null>;
}
