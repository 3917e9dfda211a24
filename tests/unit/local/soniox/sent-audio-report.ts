import { recognise } from "./recognise.ts";

const sampleRate = 16_000;
/** Samples between two of the recogniser's windows: where a session begins decides where they lie. */
const blockSamples = 160;
const offsets = [0, 32, 64, 96, 128];

/** What one connection carried: 16-bit PCM out, final words back. */
export interface SentAudio {
  chunks: { seq: number; pcm: Uint8Array }[];
  finals: string;
}

/**
 * Feeds the sound of a connection to a new recogniser, as the room does, and compares what that hears
 * with the words that came back: which were lost on the way, and which the sound itself lacks. A word
 * that is heard from some beginnings and not from others was damaged when it was captured.
 */
export function reportSentAudio({ chunks, finals }: SentAudio): string {
  const first = chunks[0];
  if (first === undefined) return "nothing was sent";
  const sound = new Float32Array(chunks.flatMap(({ pcm }) => [...toSamples(pcm)]));
  const heard = offsets.map(
    (offset) => recognise(sound.subarray(offset % blockSamples), sampleRate).text,
  );
  const said = splitWords(heard[0] ?? "");
  const came = new Set(splitWords(finals));
  const lost = said.filter((word) => !came.has(word));
  const each = heard.map((text) => new Set(splitWords(text)));
  const all = new Set(each.flatMap((words) => [...words]));
  const damaged = [...all].filter((word) => each.some((words) => !words.has(word)));
  return [
    `${chunks.length} chunks from ${first.seq}${describeOrder(chunks)} say "${heard[0]}"`,
    `came back "${finals.trim()}"`,
    lost.length === 0 ? "no word was lost on the way" : `lost on the way: ${lost.join(" ")}`,
    ...(damaged.length === 0 ? [] : [`damaged when captured: ${damaged.join(" ")}`]),
  ].join("; ");
}

/** Bytes of 16-bit little-endian PCM as samples between -1 and 1. */
export function toSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from(
    { length: pcm.byteLength / 2 },
    (_, at) => view.getInt16(2 * at, true) / 32_768,
  );
}

function describeOrder(chunks: SentAudio["chunks"]): string {
  const torn = chunks.findIndex(({ seq }, at) => at > 0 && seq !== (chunks[at - 1]?.seq ?? 0) + 1);
  return torn < 0 ? "" : ` (out of order at ${chunks[torn]?.seq})`;
}

const splitWords = (text: string) => text.replaceAll(".", "").split(" ").filter(Boolean);
