import { expect, type Locator, type Page } from "@playwright/test";
import { createBytes, type ModelServer, startModelServer } from "#tests/fixtures/model-server.ts";
import { openRecordingSettings } from "./journey.ts";

/** For tests only: the browser accepts any certificate from the hosts of `Visit.hosts`. */
const tls = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOKqJvyuGcelTpgUM
gJzinFnHAO/eQkJevftZlh+R35ChRANCAATdI5rE1McMs/v9bK3L60XAeihltxg+
ut3GUB4YSWgJ7ihXQPYRIyYxcBZkyHSeVQkfWzjo93Ci0AvL+Nvy84Lr
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBiDCCAS+gAwIBAgIUVExr+jf7ZrvFmbg1Bw2Eizwy0v8wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOaHVnZ2luZ2ZhY2UuY28wIBcNMjYxMTI0MjAzNTQ1WhgPMjEy
NjEwMzEyMDM1NDVaMBkxFzAVBgNVBAMMDmh1Z2dpbmdmYWNlLmNvMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE3SOaxNTHDLP7/Wyty+tFwHooZbcYPrrdxlAeGElo
Ce4oV0D2ESMmMXAWZMh0nlUJH1s46PdwotALy/jb8vOC66NTMFEwHQYDVR0OBBYE
FEvnIqwLJKWhikKJR0twTDG3vAYvMB8GA1UdIwQYMBaAFEvnIqwLJKWhikKJR0tw
TDG3vAYvMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgB6En9mhZ
1ndoE4Y7ryX/EfKX/oYAxRLMamU8XrxHybkCIH09GDN5ZzQ5h6gUV8BaiKmDfkV9
JLB8glth+q7Ws56U
-----END CERTIFICATE-----
`,
};

export const smallestModel = {
  repository: "onnx-community/whisper-tiny.en_timestamped",
  revision: "aeaa13760958b03fac5062f457d317d3319c3168",
};
const pairRepository = {
  repository: "Xenova/opus-mt-en-zh",
  revision: "046f55aec303cdee3e0318604406d4df20f1e8ea",
};
const files = {
  "config.json": createBytes(900, 1),
  "generation_config.json": createBytes(800, 2),
  "preprocessor_config.json": createBytes(300, 3),
  "tokenizer_config.json": createBytes(2_000, 4),
  "tokenizer.json": createBytes(20_000, 5),
  "onnx/encoder_model_quantized.onnx": createBytes(1_000_000, 6),
  "onnx/decoder_model_merged_quantized.onnx": createBytes(9_000_000, 7),
};

/** The hosts of the public hub, and of its large files. */
export const hubHosts = ["huggingface.co", "us.aws.cdn.hf.co"] as const;

/**
 * The public hub with the smallest offered model, whose files are small here, and no model unless it is given. `pair`:
 * the model that translates into Chinese.
 */
export function startModelHub(
  model: ReadonlyMap<string, Uint8Array> = new Map(),
  pair: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<ModelServer> {
  const cdnOrigin = `https://${hubHosts[1]}`;
  const contents = { ...files, ...Object.fromEntries(model) };
  return startModelServer({
    ...smallestModel,
    files: contents,
    tls,
    cdnOrigin,
    others: [{ ...pairRepository, files: Object.fromEntries(pair) }],
  });
}

/** Opens the list of speech models in the settings of a page that records. Returns the smallest of them. */
export async function openModels(page: Page): Promise<Locator> {
  await openRecordingSettings(page);
  const models = page.getByRole("button", { name: "Speech models" });
  const list = page.getByRole("list", { name: "Models for this device" });
  // They are shown of the chosen engine.
  await expect(models.or(list)).toBeVisible({ timeout: 30_000 });
  if (await models.isVisible()) await models.click();
  return list.getByRole("listitem").filter({ hasText: "Whisper tiny" });
}
