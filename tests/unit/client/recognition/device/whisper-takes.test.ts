import { OpusDecoder } from "opus-decoder";
import { expect, it } from "vitest";
import { DeviceRecognizer } from "#client/recognition/device/device-recognizer.ts";
import { loadSpeechDetector } from "#client/recognition/device/speech-detector.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { loadWhisper } from "#client/recognition/device/whisper.ts";
import type { DecodeOpus } from "#client/sound/codecs/opus-decoder.ts";
import type { ChunkData } from "#client/sound/takes/chunk-codec.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import { encodeOpusChunk } from "#shared/opus.ts";
import type { AudioCodec, RelayToken } from "#shared/relay.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { createTinyDetector } from "#tests/fixtures/speech-model/tiny-detector.ts";
import { createTinySpeechModel, toBlobs } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { createHintSource } from "#tests/unit/client/recorder/kit/hint-source.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";

/** The recogniser and the real loaders together, from the chunks of a take to its words. */

const lecture = createLectureFixture({ to: 20, sampleRate: 16_000, speakers: 1 });
const pcmChunkSamples = 4_096;

function createChunks(codec: AudioCodec): ChunkData[] {
  if (codec === "opus") return encodeOpusChunks(lecture.samples).map(encodeOpusChunk);
  const count = Math.floor(lecture.samples.length / pcmChunkSamples);
  return Array.from({ length: count }, (_, index) =>
    encodePcm16(lecture.samples.subarray(index * pcmChunkSamples, (index + 1) * pcmChunkSamples)),
  );
}

const decodeOpus: DecodeOpus = async (packets) => {
  const decoder = new OpusDecoder({ channels: 1, sampleRate: 16_000 });
  await decoder.ready;
  const [samples] = decoder.decodeFrames([...packets]).channelData;
  decoder.free();
  return samples ?? new Float32Array();
};

async function openTinyModel(): Promise<SpeechModel> {
  const contents = toBlobs(createTinySpeechModel({ wordCount: 60 }));
  const runtime = await loadNodeRuntime();
  const model = await loadWhisper(
    contents,
    async () => runtime,
    () => {},
  );
  const detect = await loadSpeechDetector(runtime, createTinyDetector());
  return {
    transcribe: (window, options) => model({ samples: window.slice(), ...options }, async () => {}),
    detectSpeech: (sound, state) => detect({ samples: sound.slice(), state }),
    dispose: () => {},
  };
}

it.each<AudioCodec>(["pcm_s16le", "opus"])(
  "recognises each word of a take in %s once, in order and at its time",
  async (codec) => {
    const clock = new ManualClock();
    const found: RelayToken[] = [];
    const ended = Promise.withResolvers<string>();
    const model = await openTinyModel();
    const recognizer = new DeviceRecognizer(
      {
        clock,
        log: { warn: () => {} },
        getModel: async () => model,
        settings: () => ({ lectureEndMs: found.at(-1)?.end_ms ?? 0 }),
        hintSource: createHintSource(),
        getClockEndMs: () => 0,
        getLastText: () => "",
        onRefusedChunk: () => ended.resolve("a chunk was refused"),
      },
      { decodeOpus, isOnBattery: () => false },
      {
        onTokens: ({ tokens }) => found.push(...tokens.filter(({ is_final }) => is_final)),
        endSentence: () => {},
        onProgress: () => {},
        onComplete: () => ended.resolve("complete"),
        onEnd: ({ kind }) => ended.resolve(kind),
      },
    );
    const take = new Take(
      {
        storage: new MemoryTakes().openStorage("user-1"),
        clock,
        log: { warn: () => {} },
        events: {
          onLoaded: () => recognizer.sendChunks(),
          onStorageState: () => {},
          onKeptRemoved: () => {},
          onMissing: () => {},
        },
      },
      { ...newTake("take", "lecture", codec), engine: "device" },
    );
    recognizer.add(take);
    for (const chunk of createChunks(codec)) take.append(chunk, 100);
    take.end();
    recognizer.start();
    expect(await ended.promise).toBe("complete");
    expect(found.map(({ text }) => text.trim())).toEqual(lecture.words.map(({ text }) => text));
    for (const [index, { start_ms = 0 }] of found.entries())
      expect(Math.abs(start_ms - (lecture.words[index]?.startMs ?? 0))).toBeLessThanOrEqual(300);
  },
);
