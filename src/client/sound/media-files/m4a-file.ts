import { AudioSample, AudioSampleSource, Mp4OutputFormat, Output, StreamTarget } from "mediabunny";
import { Resampler } from "#client/sound/capture/resampler.ts";
import { m4aConfig } from "#client/sound/player/m4a-config.ts";
import { captureSampleRate } from "#shared/limits.ts";

/** The pieces of a file that is written mostly from its beginning to its end, as the browser's own. */
class WrittenFile {
  #pieces: Blob[] = [];
  #length = 0;
  #corrections: { at: number; data: Uint8Array<ArrayBuffer> }[] = [];

  write(data: Uint8Array<ArrayBuffer>, position: number): void {
    // What is written again, such as a length, is put in its place in the end.
    const again = Math.min(data.byteLength, Math.max(0, this.#length - position));
    if (again > 0) this.#corrections.push({ at: position, data: data.slice(0, again) });
    const rest = data.slice(again);
    if (rest.byteLength === 0) return;
    const gap = position + again - this.#length;
    if (gap > 0) this.#pieces.push(new Blob([new Uint8Array(gap)]));
    this.#pieces.push(new Blob([rest]));
    this.#length = position + data.byteLength;
  }

  toBlob(type: string): Blob {
    let file = new Blob(this.#pieces);
    for (const { at, data } of this.#corrections)
      file = new Blob([file.slice(0, at), data, file.slice(at + data.byteLength)]);
    return new Blob([file], { type });
  }
}

/** Samples of 16 bits at the rate of the capture, as numbers at the encoder's rate. */
function createConverter() {
  let samples: number[] = [];
  const resampler = new Resampler(captureSampleRate, m4aConfig.sampleRate, (sample) =>
    samples.push(sample),
  );
  const take = () => {
    const converted = Float32Array.from(samples);
    samples = [];
    return converted;
  };
  return {
    convert(pcm: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
      const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
      const length = Math.floor(pcm.byteLength / 2);
      resampler.push(
        Float32Array.from({ length }, (_, index) => view.getInt16(index * 2, true) / 32_768),
      );
      return take();
    },
    end(): Float32Array<ArrayBuffer> {
      resampler.flush();
      return take();
    },
  };
}

/**
 * An M4A file (AAC) of mono samples of 16 bits.
 *
 * @throws when the browser's encoder fails
 */
export async function createM4a(pcm: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const file = new WrittenFile();
  const writable = new WritableStream<{ data: Uint8Array<ArrayBuffer>; position: number }>({
    write: ({ data, position }) => file.write(data, position),
  });
  const { sampleRate, numberOfChannels, bitrate } = m4aConfig;
  const source = new AudioSampleSource({ codec: "aac", bitrate });
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new StreamTarget(writable, { chunked: true, chunkSize: 1024 * 1024 }),
  });
  output.addAudioTrack(source);
  try {
    await output.start();
    const converter = createConverter();
    let written = 0;
    const add = async (data: Float32Array<ArrayBuffer>) => {
      if (data.length === 0) return;
      const timestamp = written / sampleRate;
      written += data.length;
      const format = "f32-planar";
      const sample = new AudioSample({ data, format, numberOfChannels, sampleRate, timestamp });
      await source.add(sample);
      sample.close();
    };
    for await (const piece of pcm) await add(converter.convert(piece));
    await add(converter.end());
    await output.finalize();
  } catch (failure) {
    await output.cancel().catch(() => {});
    throw failure;
  }
  return file.toBlob("audio/mp4");
}
