import type { UserConfig } from "vite";

/** The folder of what only speech on this device needs: the worker, its libraries, the runtime and the voice detector. */
const deviceSpeechFolder = "assets/device-speech/";

/** The folder of what only the text of PDF files needs. */
const pdfFolder = "assets/pdf/";

/** The folder of what only sound and video files need. */
const mediaFolder = "assets/media/";

/** The folder of what only text files in old encodings need. */
const encodingFolder = "assets/encodings/";

/** The folder of what fetches recordings from other sites: public/_headers has its policy. */
const remoteFolder = "assets/remote/";

/** Folders of files that the service worker caches once they are used. */
export const onUseFolders = [
  deviceSpeechFolder,
  pdfFolder,
  mediaFolder,
  encodingFolder,
  remoteFolder,
];

const isPart = (name: string) => /^(speech-model|transformers|ort[.-]|silero)/.test(name);

/** Vite's options for workers. */
export const deviceSpeech = {
  alias: {
    // transformers.js imports it, although it uses the runtime that it is given; its WebAssembly has 27 MB.
    "onnxruntime-web/webgpu": "onnxruntime-web/wasm",
  },
  worker: {
    // Workers load parts of themselves later.
    format: "es",
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        entryFileNames: ({ name }) => `${getFolder(name)}[name]-[hash:7].js`,
        chunkFileNames: ({ name }) => `${getFolder(name)}[name]-[hash:7].js`,
        assetFileNames: ({ names: [name = ""] }) => `${getFolder(name)}[name]-[hash:7][extname]`,
      },
    },
  },
} as const satisfies { alias: Record<string, string>; worker: UserConfig["worker"] };

export function getFolder(name: string): string {
  if (/^pdf(?:\.|$)|\.bcmap$/.test(name)) return pdfFolder;
  if (name === "detect-encoding") return encodingFolder;
  if (name.startsWith("media-file.worker")) return mediaFolder;
  if (name.startsWith("remote-file.worker")) return remoteFolder;
  return isPart(name) ? deviceSpeechFolder : "assets/";
}
