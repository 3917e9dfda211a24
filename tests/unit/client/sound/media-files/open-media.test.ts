import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { openMedia, readFacts } from "#client/sound/media-files/open-media.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";

/** A second of sound, whose samples are of the kind `tag` (RFC 2361). */
function createWav(tag: number): Blob {
  const file = encodeWav(new Float32Array(16_000), 16_000);
  new DataView(file.buffer).setUint16(20, tag, true);
  return new Blob([file]);
}

it("tells a WAV file whose samples it does not know from a damaged one", async () => {
  const [pcm, adpcm] = [1, 2];
  const media = await openMedia(createWav(pcm));
  expect(media.lengthMs).toBe(1_000);
  media.close();
  await expect(openMedia(createWav(adpcm))).rejects.toMatchObject({ problem: "unknownCodec" });
  const cut = createWav(pcm).slice(0, 20);
  await expect(openMedia(cut)).rejects.toMatchObject({ problem: "broken" });
});

/** Two seconds of AAC in an MPEG transport stream. */
const transportStream = readFileSync(
  new URL("../../../../fixtures/sound/transport-stream.m2t", import.meta.url),
);

/** The same with times before its packets, as camcorders and Blu-rays have it. */
const withTimes = Buffer.concat(
  Array.from({ length: transportStream.length / 188 }, (_, at) => [
    Buffer.alloc(4),
    transportStream.subarray(at * 188, (at + 1) * 188),
  ]).flat(),
);

it.each([
  ["of a broadcast", transportStream],
  ["of a camcorder", withTimes],
])("reads an MPEG transport stream %s", async (_, bytes) => {
  const media = await openMedia(new Blob([bytes]));
  expect(Math.round(media.lengthMs)).toBe(2_005);
  media.close();
});

it("does not say that a transport stream whose sound it does not know has none", async () => {
  const bytes = Buffer.from(transportStream);
  const aac = Buffer.from([0x0f, 0xe1, 0x00, 0xf0]);
  for (let at = bytes.indexOf(aac); at >= 0; at = bytes.indexOf(aac, at)) bytes[at] = 0x06;
  await expect(openMedia(new Blob([bytes]))).rejects.toMatchObject({ problem: "unknownCodec" });
});

afterEach(() => vi.unstubAllGlobals());

/** MP3 frames of silence: MPEG 1 layer III, 128 kbit/s, 44.1 kHz, mono (417 bytes of 26 ms). */
const mp3 = new Blob(
  Array.from({ length: 40 }, () => {
    const frame = new Uint8Array(417);
    frame.set([0xff, 0xfb, 0x90, 0xc0]);
    return frame;
  }),
);

/** A browser's decoder, which says that it knows the sound, and then does or does not. */
function installDecoder(isAble: boolean): void {
  vi.stubGlobal("EncodedAudioChunk", class {});
  vi.stubGlobal(
    "AudioDecoder",
    class {
      static isConfigSupported = async (config: object) => ({ supported: true, config });
      state = "unconfigured";
      decodeQueueSize = 0;
      constructor(readonly handlers: AudioDecoderInit) {}
      configure() {
        this.state = "configured";
      }
      decode() {
        if (!isAble) queueMicrotask(() => this.#refuse());
      }
      async flush() {}
      reset() {}
      close() {
        this.state = "closed";
      }
      #refuse() {
        if (this.state === "closed") return;
        this.state = "closed";
        this.handlers.error(new DOMException("refused", "EncodingError"));
      }
    },
  );
}

it.each([
  { isAble: true, decoder: "worker" },
  { isAble: false, decoder: "either" },
])(
  "finds out whether the decoder that says it knows MP3 does: $isAble",
  async ({ isAble, decoder }) => {
    installDecoder(isAble);
    expect(await readFacts(mp3)).toMatchObject({ decoder });
  },
);

/** Containers that say more of themselves than they have, or that lie in each other without end. */

const toBytes32 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
const toLetters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const zeros = (length: number): number[] => Array(length).fill(0);
const most = toBytes32(0xffffffff);

const box = (type: string, ...parts: number[][]): number[] => {
  const content = parts.flat();
  return [...toBytes32(content.length + 8), ...toLetters(type), ...content];
};
const fullBox = (type: string, ...parts: number[][]) => box(type, zeros(4), ...parts);
const fileType = box("ftyp", toLetters("isom"), zeros(4), toLetters("isom"));

/** An MP4 file with the sample tables `tables`. */
function createMp4(...tables: number[][]): number[] {
  const samples = box(
    "mp4a",
    zeros(6),
    [0, 1],
    zeros(8),
    [0, 2, 0, 16],
    zeros(4),
    [0xbb, 0x80, 0, 0],
  );
  const table = box("stbl", fullBox("stsd", toBytes32(1), samples), ...tables);
  const media = box(
    "mdia",
    fullBox("mdhd", zeros(8), toBytes32(48_000), toBytes32(48_000), zeros(4)),
    fullBox("hdlr", zeros(4), toLetters("soun"), zeros(13)),
    box("minf", fullBox("smhd", zeros(4)), table),
  );
  const track = box("trak", fullBox("tkhd", zeros(8), toBytes32(1), zeros(68)), media);
  const movie = fullBox("mvhd", zeros(8), toBytes32(1_000), toBytes32(1_000), zeros(80));
  return [...fileType, ...box("moov", movie, track), ...box("mdat", zeros(100))];
}

/** Boxes in each other, `depth` of them. */
const nest = (type: string, depth: number): number[] =>
  Array.from({ length: depth }, (_, at) => [
    ...toBytes32(8 * (depth - at)),
    ...toLetters(type),
  ]).flat();

const oneSize = fullBox("stsz", toBytes32(1), most);
const oneTime = fullBox("stts", toBytes32(1), most, toBytes32(1));
const oneChunk = fullBox("stsc", toBytes32(1), toBytes32(1), toBytes32(1), toBytes32(1));

it.each<[name: string, problem: RegExp, bytes: number[]]>([
  ["boxes in each other", /noSound|broken/, [...fileType, ...nest("moov", 50_000)]],
  [
    "tracks in each other",
    /broken/,
    [...fileType, ...box("moov", fullBox("mvhd", zeros(96)), nest("trak", 50_000))],
  ],
  ["samples without number", /tooLong|broken/, createMp4(oneTime, oneSize, oneChunk)],
  [
    "a list of sizes that is not there",
    /broken/,
    createMp4(oneTime, fullBox("stsz", zeros(4), most)),
  ],
  ["a list of times that is not there", /broken/, createMp4(fullBox("stts", most), oneSize)],
  [
    "a list of chunks that is not there",
    /broken/,
    createMp4(oneTime, oneSize, fullBox("stco", most)),
  ],
  [
    "a box that is larger than the file",
    /noSound|broken|notMedia/,
    [...fileType, ...most, ...toLetters("moov")],
  ],
  [
    "FLAC without its description",
    /broken/,
    [...toLetters("fLaC"), ...Array(20_000).fill([1, 0, 0, 0]).flat()],
  ],
])("refuses a hostile container: %s", async (_, problem, bytes) => {
  await expect(openMedia(new Blob([Uint8Array.from(bytes)]))).rejects.toMatchObject({
    problem: expect.stringMatching(problem),
  });
});

it("names AMR in a 3GP file", async () => {
  const tables = [
    fullBox("stts", toBytes32(1), toBytes32(10), toBytes32(4_800)),
    fullBox("stsz", toBytes32(8), toBytes32(10)),
    fullBox("stsc", toBytes32(1), toBytes32(1), toBytes32(10), toBytes32(1)),
    fullBox("stco", toBytes32(1), toBytes32(0)),
  ];
  const bytes = Buffer.from(createMp4(...tables));
  bytes.write("samr", bytes.indexOf("mp4a"), "latin1");
  await expect(openMedia(new Blob([bytes]))).rejects.toMatchObject({ problem: "amr" });
});
