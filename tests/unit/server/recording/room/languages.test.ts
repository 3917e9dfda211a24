import { describe, expect, test } from "vitest";
import { createRoomState } from "#server/recording/room/state.ts";
import type { Recognizer } from "#shared/engine-languages.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayConfig } from "#shared/relay.ts";
import { createWord, TestRoom } from "./test-room.ts";

/** The languages of each provider session that was opened. */
const listLanguages = (room: TestRoom) =>
  room.listEffects("openProvider").map(({ start }) => start.languages);

/** A token as services send those of scripts without spaces. */
const createPiece = (text: string, startMs: number, endMs: number, isFinal = true) => ({
  ...createWord("", startMs, endMs, { isFinal }),
  text,
});

describe("the provider is told", () => {
  test.each<[string, Partial<RelayConfig>, SpokenLanguage[]]>([
    ["one language", { language: "ja" }, ["ja"]],
    ["two languages", { language: "de", secondLanguage: "en" }, ["de", "en"]],
    ["a second one that is the first", { language: "de", secondLanguage: "de" }, ["de"]],
    ["no language where it detects it", { language: "detect", secondLanguage: "en" }, []],
  ])("%s", (_, config, languages) => {
    const room = new TestRoom().ready({ from: 0, ...config }).speak(0, 3);
    expect(listLanguages(room)).toEqual([languages]);
  });

  test("other languages in a new session; the same ones keep it", () => {
    const room = new TestRoom().ready({ from: 0, language: "de" }).speak(0, 3);
    room.config({ from: 4, language: "de" });
    room.speak(4, 5);
    expect(listLanguages(room)).toEqual([["de"]]);
    room.config({ from: 6, language: "ar" });
    expect(room.listEffects("closeProvider")).toHaveLength(1);
    room.speak(6, 7);
    expect(listLanguages(room)).toEqual([["de"], ["ar"]]);
  });
});

describe("a language that the service does not hear", () => {
  const refuse = (recognizer: Recognizer, config: Partial<RelayConfig>) => {
    const room = new TestRoom();
    room.state = createRoomState(null, [], room.now, undefined, { recognizer });
    room.ready({ from: 0, ...config });
    room.speak(0, 3);
    return room;
  };

  test.each<[Recognizer, Partial<RelayConfig>]>([
    ["nova-3", { language: "cy" }],
    ["nova-3", { language: "en", secondLanguage: "ur" }],
    ["whisper", { language: "detect" }],
    ["english", { language: "de" }],
  ])("is refused before any sound: %s, %j", (recognizer, config) => {
    const room = refuse(recognizer, config);
    expect(room.refusals).toBe("language_not_recognized 1008");
    expect(listLanguages(room)).toEqual([]);
    expect(room.chargedMs).toBe(0);
  });

  test("is refused in the middle of a recording, whose words so far are charged and kept", () => {
    const room = refuse("nova-3", { language: "de" });
    room.config({ from: 4, language: "cy" });
    expect(room.refusals).toBe("language_not_recognized 1008");
    expect(room.chargedMs).toBe(4 * 256);
  });
});

describe("words", () => {
  const word = createWord("eins", 100, 500, { language: "de" });

  test.each<[string, Partial<RelayConfig>, SpokenLanguage | undefined]>([
    ["have their language where it is found out", { language: "detect" }, "de"],
    ["have it where two are spoken", { language: "en", secondLanguage: "de" }, "de"],
    ["have none in a lecture of one language", { language: "de" }, undefined],
  ])("%s", (_, config, language) => {
    const room = new TestRoom().ready({ from: 0, ...config }).speak(0, 3);
    room.transcribe([word, createWord("zwei", 600, 900, { isFinal: false, language: "de" })], 500);
    expect(room.tokens.map((token) => token.language)).toEqual([language, language]);
  });

  test("have none that the service does not say", () => {
    const room = new TestRoom().ready({ from: 0, language: "detect" }).speak(0, 3);
    room.transcribe([createWord("eins", 100, 500)], 500);
    expect(room.tokens[0]).not.toHaveProperty("language");
  });

  test.each<[SpokenLanguage, string, string[]]>([
    [
      "ja",
      "エントロピーは増え続けます。",
      ["エント", "ロピー", "は", "増え", "続け", "ます", "。"],
    ],
    ["ar", " ما هي الطاقة؟", [" ما", " هي", " الط", "اقة", "؟"]],
    ["th", "ความร้อนไหลจากร้อนไปเย็น", ["ความ", "ร้อน", "ไหล", "จาก", "ร้อน", "ไป", "เย็น"]],
  ])(
    "in %s come once, and joined as they were, when a session ends between any two: %s",
    (language, text, pieces) => {
      for (let cut = 1; cut < pieces.length; cut += 1) {
        const room = new TestRoom().ready({ from: 0, language }).speak(0, 15);
        const createPieces = (shiftMs: number, isFinal: (at: number) => boolean) =>
          pieces.map((piece, at) =>
            createPiece(piece, 300 + at * 200 + shiftMs, 500 + at * 200 + shiftMs, isFinal(at)),
          );
        room.transcribe(
          createPieces(0, (at) => at < cut),
          300 + cut * 200,
          4_096,
        );
        room.replaceSession(300);
        // Another session never gives exactly the same times.
        room.transcribe(
          createPieces(20, () => true),
          4_096,
        );
        const finals = room.listSent("tokens").flatMap(({ tokens }) => tokens);
        const written = finals.filter((token) => token.is_final).map((token) => token.text);
        expect(written.join("")).toBe(text);
      }
    },
  );
});
