import type { SpeechErrorCode } from "#client/recognition/browser/web-speech.ts";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import type { AudioCodec } from "#shared/relay.ts";
import { FakeRecognitions, type SpokenWord } from "./fake-recognition.ts";
import { World } from "./harness.ts";
import { createNumberedModel } from "./numbered-model.ts";
import { getExpectedText } from "./simulated-room.ts";

/** A page whose browser, room and device all hear the same numbered words. */
export function setUpNumbered(codec: AudioCodec = "pcm_s16le") {
  const world = new World(codec);
  const words: SpokenWord[] = [];
  const errors: { at: number; error: SpeechErrorCode }[] = [];
  const recognitions = new FakeRecognitions({
    clock: world.clock,
    words,
    errors,
    isOpen: (track) => track === page.microphone.track,
  });
  world.live.recognition = {
    get language() {
      const { language = "en" } = world.live.recognitionLanguages ?? {};
      return language === "detect" ? null : language;
    },
    opensMicrophone: false,
    create: () => recognitions.create(),
  };
  const device = { hasModel: true, languages: [] as string[] };
  const page = world.page({
    engines: {
      selectSpeech: async () => "service",
      async openSpeechModel(_, language) {
        if (!device.hasModel) throw new SpeechModelError("missing", "none is stored");
        device.languages.push(language);
        return createNumberedModel(world.clock);
      },
      wrapLanguageCalls: (server) => server,
    },
  });
  let count = 0;
  return {
    world,
    page,
    device,
    /** Number of the words said so far. */
    wordCount: () => count,
    /** Says the next `number` words, one a chunk, while the page records. */
    async say(number: number) {
      for (let said = 0; said < number && page.view.status === "recording"; said += 1) {
        count += 1;
        const startsAt = world.clock.now();
        const text = getExpectedText(count).split(" ").at(-1) ?? "";
        words.push({ text, startsAt, endsAt: startsAt + 200 });
        await page.sayChunk(count);
      }
    },
    /** Silence in which a recognition delivers its last words. */
    async pause() {
      for (let chunk = 0; chunk < 5; chunk += 1) await page.sayChunk(0);
    },
    /** The running session of the browser's recognition fails. */
    fail(error: SpeechErrorCode) {
      errors.push({ at: world.clock.now() + 1, error });
    },
  };
}
