import { type ChunkData, isChunk, pcmChunkBytes } from "#client/sound/takes/chunk-codec.ts";
import { oggPageMaxBytes, readOggPage } from "#shared/ogg-opus.ts";
import { encodeOpusChunk, opusLeadInMax } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { wavHeaderBytes } from "./sound-file.ts";

const chunksPerRead = 512;
const oggBlockBytes = 1024 * 1024;

/**
 * The chunks of a file that `createSoundFile` has made of one take.
 *
 * @throws RangeError for any other file
 */
export async function* readSoundFile(file: Blob, codec: AudioCodec): AsyncGenerator<ChunkData> {
  if (codec === "opus") {
    yield* readOggChunks(file);
    return;
  }
  const blockBytes = chunksPerRead * pcmChunkBytes;
  for (let from = wavHeaderBytes; from < file.size; from += blockBytes) {
    const block = new Uint8Array(await file.slice(from, from + blockBytes).arrayBuffer());
    for (let at = 0; at < block.byteLength; at += pcmChunkBytes) {
      const chunk = block.slice(at, at + pcmChunkBytes);
      if (!isChunk(codec, chunk)) throw new RangeError("This is no sound of a take.");
      yield chunk;
    }
  }
}

async function* readOggChunks(file: Blob): AsyncGenerator<ChunkData> {
  let leadIn: readonly Uint8Array[] = [];
  let bytes = new Uint8Array();
  /** Of `bytes` in the file, and of the next page in `bytes`. */
  let blockAt = 0;
  let at = 0;
  for (let number = 0; blockAt + at < file.size; number += 1) {
    if (bytes.byteLength - at < oggPageMaxBytes && blockAt + bytes.byteLength < file.size) {
      blockAt += at;
      at = 0;
      bytes = new Uint8Array(await file.slice(blockAt, blockAt + oggBlockBytes).arrayBuffer());
    }
    const page = readOggPage(bytes, at);
    at = page.end;
    // OpusHead and OpusTags.
    if (number < 2) continue;
    yield encodeOpusChunk({ leadIn, packets: page.packets });
    leadIn = page.packets.slice(-opusLeadInMax);
  }
}
