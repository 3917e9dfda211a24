import jspiUrl from "onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url";
import wasmUrl from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import type { ModelDescription } from "./model-description.ts";
import type { LoadedRuntime } from "./model-library.ts";
import { SpeechModelError } from "./speech-model-messages.ts";

/**
 * Loads what runs the networks of `model`: a build for WebAssembly, or one that has WebGPU too. The second suspends
 * WebAssembly while the GPU works (JSPI). The build for browsers without JSPI has 27 MB, more than a file of a site
 * may have on Cloudflare.
 *
 * @throws SpeechModelError `unsupported` or `program`.
 */
export async function loadRuntime(model: ModelDescription): Promise<LoadedRuntime> {
  checkWebAssembly();
  const usesGpu = "Suspending" in WebAssembly && (await canUseGpu(model));
  try {
    const url = usesGpu ? jspiUrl : wasmUrl;
    const [runtime, wasmBinary] = await Promise.all([
      usesGpu ? import("onnxruntime-web/jspi") : import("onnxruntime-web/wasm"),
      fetchBytes(url),
    ]);
    const { wasm } = runtime.env;
    wasm.wasmBinary = wasmBinary;
    // Without it, transformers.js names a content delivery network.
    wasm.wasmPaths = { wasm: url };
    // Threads need a page that is isolated from other origins.
    wasm.numThreads = 1;
    return { runtime, devices: usesGpu ? ["webgpu", "wasm"] : ["wasm"] };
  } catch (error) {
    throw new SpeechModelError("program", `The runtime could not be loaded: ${error}`);
  }
}

async function fetchBytes(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** The type, then a function that drops `v128.const 0`: a module that only compiles where there is SIMD. */
const simdModule = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12],
  ...new Array<number>(16).fill(0),
  ...[26, 11],
);

function checkWebAssembly(): void {
  try {
    new WebAssembly.Module(simdModule);
  } catch (error) {
    throw new SpeechModelError("unsupported", `WebAssembly with SIMD cannot be used: ${error}`);
  }
}

/** Weights of 8 bits are integer products, which have no WebGPU kernels: each would be copied to the CPU and back. */
async function canUseGpu({ encoder, decoder }: ModelDescription): Promise<boolean> {
  const types = [encoder, decoder];
  if (types.includes("q8")) return false;
  const needsHalf = types.some((type) => type === "fp16" || type === "q4f16");
  try {
    const adapter = await getGpu()?.requestAdapter();
    return adapter != null && (!needsHalf || adapter.features.has("shader-f16"));
  } catch {
    return false;
  }
}

/** The part of WebGPU that is used. */
interface Gpu {
  requestAdapter(): Promise<{ features: ReadonlySet<string> } | null>;
}

const getGpu = () => (navigator as unknown as { gpu?: Gpu }).gpu;
