import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSoundFile } from "#client/sound/player/sound-file.ts";
import { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { TakeDatabase, type TakeStorage } from "#client/sound/takes/take-storage.ts";
import { encodeOpusChunk, opusPacketsPerChunk } from "#shared/opus.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

class FakeAudio extends EventTarget {
  src = "";
  currentTime = 0;
  playbackRate = 1;
  isPaused = true;
  fails = false;
  async play(): Promise<void> {
    if (this.fails) throw new DOMException("no source", "NotSupportedError");
    this.isPaused = false;
  }
  pause(): void {
    this.isPaused = true;
  }
  removeAttribute(): void {
    this.src = "";
  }
}

const createChunk = (codec: AudioCodec) => {
  if (codec === "pcm_s16le") return new Uint8Array(8_192).fill(7);
  const packets = Array<Uint8Array>(opusPacketsPerChunk).fill(Uint8Array.of(72, 1, 2));
  return encodeOpusChunk({ leadIn: packets.slice(0, 2), packets });
};

async function keep(
  storage: TakeStorage,
  id: string,
  count: number,
  offsetMs: number,
  codec: AudioCodec = "pcm_s16le",
): Promise<void> {
  const chunks = Array.from({ length: count }, (_, seq) => ({
    seq,
    level: 180,
    data: createChunk(codec),
  }));
  const take = { ...newTake(id, "lecture", codec), isKept: true, nextSeq: count, firstSeq: count };
  await storage.write({ ...take, placements: [{ fromMs: 0, offsetMs }] }, chunks);
}

let storage: TakeStorage;
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  storage = new TakeDatabase(() => 1).openStorage("user-1");
});
afterEach(() => vi.useRealTimers());

async function openPlayer() {
  const audio = new FakeAudio();
  const takes = await storage.listKept("lecture");
  const player = new SoundPlayer(storage, takes, new Map(), audio as unknown as HTMLAudioElement);
  return { audio, player };
}

describe("the player of a lecture's kept sound", () => {
  it("plays from a time on the lecture's clock, whichever take that is in", async () => {
    await keep(storage, "first", 10, 0);
    await keep(storage, "second", 10, 5_000);
    const { audio, player } = await openPlayer();
    await player.play(1_000);
    expect([audio.currentTime, audio.isPaused]).toEqual([1, false]);
    const { src } = audio;
    await player.play(6_500);
    expect(audio.currentTime).toBe(1.5);
    expect(audio.src).not.toBe(src);
    player.pause();
    expect([audio.isPaused, player.state.get().isPlaying]).toEqual([true, false]);
    player.dispose();
  });

  it("goes on with the next take over a gap, and stops at the end", async () => {
    await keep(storage, "first", 10, 0);
    await keep(storage, "second", 10, 5_000);
    const { audio, player } = await openPlayer();
    await player.play(2_000);
    audio.dispatchEvent(new Event("ended"));
    await waitFor(() => expect(player.state.get().ms).toBe(5_000));
    await waitFor(() => expect(audio.currentTime).toBe(0));
    audio.currentTime = 2.56;
    audio.dispatchEvent(new Event("ended"));
    expect(player.state.get()).toMatchObject({ isPlaying: false, ms: 7_560 });
    await player.play();
    expect(player.state.get()).toMatchObject({ isPlaying: true, ms: 0 });
    player.dispose();
  });

  it("keeps the speed, and plays only what was asked for last", async () => {
    await keep(storage, "first", 10, 0);
    await keep(storage, "second", 10, 5_000);
    const { audio, player } = await openPlayer();
    player.setRate(1.5);
    const earlier = player.play(500);
    await Promise.all([earlier, player.play(6_000)]);
    expect([audio.currentTime, audio.playbackRate]).toEqual([1, 1.5]);
    player.dispose();
  });

  it("is moved by the slider: it plays on from there, or stays paused there", async () => {
    await keep(storage, "first", 10, 0);
    await keep(storage, "second", 10, 5_000);
    const { audio, player } = await openPlayer();
    await player.play(500);
    player.seek(6_000);
    await waitFor(() => expect(audio.currentTime).toBe(1));
    expect(player.state.get()).toMatchObject({ isPlaying: true, ms: 6_000 });
    player.pause();
    player.seek(1_000);
    expect(player.state.get()).toMatchObject({ isPlaying: false, ms: 1_000 });
    player.seek(99_000);
    expect(player.state.get().ms).toBe(7_560);
    player.dispose();
  });

  it("stays where it was asked to play while the sound of another take is still read", async () => {
    await keep(storage, "first", 40, 0);
    await keep(storage, "second", 4, 12_000);
    const { audio, player } = await openPlayer();
    await player.play(0);
    audio.currentTime = 9;
    const read = Promise.withResolvers<void>();
    const { readChunks } = storage;
    vi.spyOn(storage, "readChunks").mockImplementation(async (...range) => {
      await read.promise;
      return readChunks.apply(storage, range);
    });
    const playing = player.play(12_500);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(player.state.get()).toMatchObject({ isPlaying: true, ms: 12_500 });
    expect(audio.isPaused).toBe(true);
    read.resolve();
    await playing;
    expect([audio.currentTime, audio.isPaused]).toEqual([0.5, false]);
    player.dispose();
  });

  it("is paused where it was asked to play while that sound is still read", async () => {
    await keep(storage, "first", 40, 0);
    await keep(storage, "second", 4, 12_000);
    const { audio, player } = await openPlayer();
    await player.play(0);
    audio.currentTime = 9;
    void player.play(12_500);
    player.pause();
    expect(player.state.get()).toMatchObject({ isPlaying: false, ms: 12_500 });
    player.dispose();
  });

  it("says when the sound cannot be played", async () => {
    await keep(storage, "first", 10, 0);
    const { audio, player } = await openPlayer();
    audio.fails = true;
    await player.play(0);
    expect(player.state.get()).toMatchObject({ isPlaying: false, hasFailed: true });
    player.dispose();
  });
});

describe("a file of kept sound", () => {
  it("of PCM is a WAV file; a chunk that is gone is silent", async () => {
    await keep(storage, "take", 3, 0);
    const [take] = await storage.listKept();
    if (!take) throw new Error("No take");
    const file = await createSoundFile(storage, [{ ...take, nextSeq: 4 }]);
    expect([file.type, file.size]).toEqual(["audio/wav", 44 + 4 * 8_192]);
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe("RIFF");
    expect([bytes[44], bytes.at(-1)]).toEqual([7, 0]);
  });

  it("of Opus is one Ogg stream, each packet once", async () => {
    await keep(storage, "one", 3, 0, "opus");
    await keep(storage, "two", 2, 5_000, "opus");
    const file = await createSoundFile(storage, await storage.listKept());
    const text = new TextDecoder("latin1").decode(await file.arrayBuffer());
    expect(file.type).toBe("audio/ogg");
    expect(text.split("OpusHead")).toHaveLength(2);
    // Two pages of headers, and one for each chunk.
    expect(text.split("OggS")).toHaveLength(1 + 2 + 5);
  });

  it("is one for each run of takes of one codec", async () => {
    await keep(storage, "one", 1, 0, "opus");
    await keep(storage, "two", 1, 5_000);
    const { player } = await openPlayer();
    const names = (await player.createFiles('Optics: "Light"')).map(({ name }) => name);
    expect(names).toEqual(["Optics Light 1.ogg", "Optics Light 2.wav"]);
  });

  describe("in other formats", () => {
    const stubCodecs = ({ aac, decoder = true }: { aac: boolean; decoder?: boolean }) => {
      vi.stubGlobal("AudioData", class {});
      vi.stubGlobal("AudioDecoder", decoder ? class {} : undefined);
      const isConfigSupported = async (config: object) => ({ supported: aac, config });
      vi.stubGlobal("AudioEncoder", Object.assign(class {}, { isConfigSupported }));
    };
    afterEach(() => vi.unstubAllGlobals());

    it.each([
      ["opus", { aac: true }, ["kept", "m4a"]],
      ["opus", { aac: false }, ["kept", "wav"]],
      ["opus", { aac: true, decoder: false }, ["kept"]],
      ["pcm_s16le", { aac: true }, ["kept", "m4a"]],
      ["pcm_s16le", { aac: false }, ["kept"]],
    ] as const)("is what this browser can make of %s: %j", async (codec, codecs, formats) => {
      await keep(storage, "one", 2, 0, codec);
      stubCodecs(codecs);
      const { player } = await openPlayer();
      expect(await player.listFormats()).toEqual(formats);
    });

    it("is without what a browser cannot say", async () => {
      await keep(storage, "one", 2, 0);
      stubCodecs({ aac: true });
      const isConfigSupported = () => Promise.reject(new TypeError("no such codec"));
      vi.stubGlobal("AudioEncoder", Object.assign(class {}, { isConfigSupported }));
      const { player } = await openPlayer();
      expect(await player.listFormats()).toEqual(["kept"]);
    });

    it("is one WAV, whatever the takes are kept as, of the size that was said", async () => {
      await keep(storage, "one", 2, 0);
      await keep(storage, "two", 3, 5_000);
      const { player } = await openPlayer();
      const parts: number[] = [];
      const [file, ...others] = await player.createFiles("Optics", "wav", (part) => {
        parts.push(part);
      });
      expect(others).toEqual([]);
      expect(file?.name).toBe("Optics.wav");
      expect(file?.blob.size).toBe(44 + player.wavBytes);
      expect(parts.at(-1)).toBe(1);
    });
  });
});
