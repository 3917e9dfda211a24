import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { findFolder } from "./streams.ts";

/** What is measured; `reference`: the same weights, run by another program. */
const modes = ["libraries", "reference", "import", "live", "page"] as const;
type Mode = (typeof modes)[number];

export interface Options {
  smoke: boolean;
  modes: readonly Mode[];
  /** Folder of the weights; null: there are none. */
  model: string | null;
  /** Folder of the speech; null: there is none. */
  speech: string | null;
  /** Names of streams; null: all in the folder. */
  streams: readonly string[] | null;
  slowness: number;
  /** Of the encoder: an isolated page has two where the machine has them. */
  threads: number;
  /** Lists what was recognised wrong. */
  errors: boolean;
  /** Folder of a model that translates, and its token of the language into which. */
  pair: string | null;
  target: string | null;
}

export function readOptions(): Options {
  const { values } = parseArgs({
    allowPositionals: true,
    options: {
      smoke: { type: "boolean", default: false },
      modes: { type: "string" },
      model: { type: "string" },
      speech: { type: "string" },
      streams: { type: "string" },
      slowness: { type: "string", default: "1" },
      threads: { type: "string", default: "2" },
      errors: { type: "boolean", default: false },
      pair: { type: "string" },
      target: { type: "string" },
    },
  });
  const wanted = values.modes?.split(",") ?? modes;
  const unknown = wanted.find((mode) => !modes.some((known) => known === mode));
  if (unknown !== undefined) throw new Error(`unknown mode ${unknown}`);
  return {
    smoke: values.smoke,
    modes: modes.filter((mode) => wanted.includes(mode)),
    model: findFolder(values.model, "SPEECH_BENCH_MODEL", "../shared/models/whisper-tiny.en"),
    speech: findFolder(values.speech, "SPEECH_BENCH_STREAMS", "../shared/speech"),
    streams: values.streams?.split(",") ?? null,
    slowness: Number(values.slowness),
    threads: Math.min(Number(values.threads), availableParallelism()),
    errors: values.errors,
    pair: values.pair ?? null,
    target: values.target ?? null,
  };
}
