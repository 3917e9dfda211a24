// vtt.js reads its parts from `this`, which Node sets in a CommonJS module and Vitest's own `require` does not.
const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
const { VTTCue, WebVTT }: typeof import("vtt.js").default = require("vtt.js");

/** Reads WebVTT with Mozilla's parser, which tells of what it has to skip. */
export function readWithMozilla(text: string) {
  const cues: { startTime: number; endTime: number; text: string }[] = [];
  const errors: string[] = [];
  const parser = new WebVTT.Parser({ VTTCue }, WebVTT.StringDecoder());
  parser.oncue = (cue) => cues.push(cue);
  parser.onparsingerror = (error) => errors.push(error.message);
  parser.parse(text);
  parser.flush();
  return { cues, errors };
}
