import { OpusDecoder } from "opus-decoder";
import { decodeOpusChunk } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { recognise } from "./recognise.ts";

export const sentSampleRate = 16_000;
/** Samples between two windows of the recogniser; a session's start decides where the windows are. */
const blockSamples = 160;
const offsets = [0, 32, 64, 96, 128];

interface SentChunk {
  seq: number;
  data: Uint8Array;
}

/** The traffic of one connection after one `config`: chunks sent, final words received. */
export interface SentAudio {
  take: string;
  codec: AudioCodec;
  chunks: SentChunk[];
  finals: string;
}

/**
 * Recognises the audio of a connection again and compares the result with the words that came back. It
 * reports words that were lost on the way, and words that are recognised only from some start positions:
 * these were damaged when the audio was captured.
 */
export async function reportSentAudio({ codec, chunks, finals }: SentAudio): Promise<string> {
  const first = chunks[0];
  if (first === undefined) return "nothing was sent";
  const sound = await decodeSentAudio(codec, chunks);
  const texts = offsets.map(
    (offset) => recognise(sound.subarray(offset % blockSamples), sentSampleRate).text,
  );
  const sentWords = splitWords(texts[0] ?? "");
  const receivedWords = new Set(splitWords(finals));
  const lost = sentWords.filter((word) => !receivedWords.has(word));
  const each = texts.map((text) => new Set(splitWords(text)));
  const all = new Set(each.flatMap((words) => [...words]));
  const damaged = [...all].filter((word) => each.some((words) => !words.has(word)));
  return [
    `${chunks.length} chunks of ${codec} from ${first.seq}${describeOrder(chunks)} say "${texts[0]}"`,
    `came back "${finals.trim()}"`,
    lost.length === 0 ? "no word was lost on the way" : `lost on the way: ${lost.join(" ")}`,
    ...(damaged.length === 0 ? [] : [`damaged when captured: ${damaged.join(" ")}`]),
  ].join("; ");
}

/** Chunks of one take, in order, as samples between -1 and 1. */
export async function decodeSentAudio(
  codec: AudioCodec,
  chunks: readonly SentChunk[],
): Promise<Float32Array> {
  if (codec === "pcm_s16le")
    return new Float32Array(chunks.flatMap(({ data }) => [...toSamples(data)]));
  const decoder = new OpusDecoder({ channels: 1, sampleRate: sentSampleRate });
  await decoder.ready;
  const packets = chunks.flatMap(({ data }) => decodeOpusChunk(data)?.packets ?? []);
  const { channelData } = decoder.decodeFrames(packets);
  decoder.free();
  return channelData[0] ?? new Float32Array();
}

/** Bytes of 16-bit little-endian PCM as samples between -1 and 1. */
function toSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Float32Array.from(
    { length: pcm.byteLength / 2 },
    (_, at) => view.getInt16(2 * at, true) / 32_768,
  );
}

function describeOrder(chunks: readonly SentChunk[]): string {
  const gapIndex = chunks.findIndex(
    ({ seq }, at) => at > 0 && seq !== (chunks[at - 1]?.seq ?? 0) + 1,
  );
  return gapIndex < 0 ? "" : ` (out of order at ${chunks[gapIndex]?.seq})`;
}

const splitWords = (text: string) => text.replaceAll(".", "").split(" ").filter(Boolean);
