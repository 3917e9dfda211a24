import {
  ALL_FORMATS,
  type AudioSample,
  BlobSource,
  CustomAudioEncoder,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  registerEncoder,
} from "mediabunny";
import { expect, it } from "vitest";
import { createM4a } from "#client/sound/media-files/m4a-file.ts";

const frameSamples = 1_024;
const rate = 48_000;

/** Gives a packet for every 1024 samples that has their loudest one, in place of AAC. */
class TestEncoder extends CustomAudioEncoder {
  static override supports = (codec: string) => codec === "aac";
  #samples: number[] = [];
  #at = 0;
  #isFirst = true;

  init() {}

  encode(sample: AudioSample) {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex: 0, format: "f32-planar" });
    this.#samples.push(...plane);
    while (this.#samples.length >= frameSamples) this.#write();
  }

  #write() {
    const frame = this.#samples.splice(0, frameSamples);
    const loudest = Math.round(Math.max(0, ...frame.map(Math.abs)) * 100);
    const packet = new EncodedPacket(
      Uint8Array.of(loudest, 0, 0, 0),
      "key",
      this.#at / rate,
      frameSamples / rate,
    );
    this.#at += frameSamples;
    // An AudioSpecificConfig: AAC-LC, 48 kHz, one channel.
    const description = Uint8Array.of(0x11, 0x88);
    const decoderConfig = {
      codec: "mp4a.40.2",
      sampleRate: rate,
      numberOfChannels: 1,
      description,
    };
    this.onPacket(packet, this.#isFirst ? { decoderConfig } : undefined);
    this.#isFirst = false;
  }

  flush() {
    if (this.#samples.length > 0) this.#write();
  }

  close() {}
}
registerEncoder(TestEncoder);

it("writes all sound in pieces, at its times, as a file that another program reads", async () => {
  const seconds = 90;
  async function* createPcm() {
    for (let second = 0; second < seconds; second += 1) {
      const samples = Int16Array.from({ length: 16_000 }, (_, at) =>
        second === 60 ? 16_000 * Math.sin((2 * Math.PI * 440 * at) / 16_000) : 0,
      );
      yield new Uint8Array(samples.buffer);
    }
  }
  const file = await createM4a(createPcm());
  expect(file.type).toBe("audio/mp4");

  const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track) throw new Error("no track");
  expect(await track.getCodec()).toBe("aac");
  expect(Math.abs((await track.computeDuration()) - seconds)).toBeLessThan(0.03);
  const loud: number[] = [];
  for await (const packet of new EncodedPacketSink(track).packets())
    if ((packet.data[0] ?? 0) > 20) loud.push(packet.timestamp);
  expect(loud[0]).toBeGreaterThan(59.9);
  expect(loud[0]).toBeLessThan(60.1);
  expect(loud.at(-1)).toBeGreaterThan(60.9);
  expect(loud.at(-1)).toBeLessThan(61.1);
});

it("fails where the sound cannot be read to its end", async () => {
  async function* createPcm() {
    yield new Uint8Array(32_000);
    throw new Error("gone");
  }
  await expect(createM4a(createPcm())).rejects.toThrow("gone");
});
