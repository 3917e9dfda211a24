import { describe, expect, it } from "vitest";
import { toFormerMessage, toFormerNames } from "#shared/former-names.ts";
import { appendEntriesInput, type LecturePage } from "#shared/lecture.ts";
import type { SearchPage } from "#shared/search.ts";
import type {
  SharedLecture,
  SharedLiveLine,
  SharedRow,
  ShareServerMessage,
} from "#shared/share.ts";
import { formerLecture, formerSearch, formerShareMessage } from "#tests/fixtures/former-wire.ts";

const times = { startMs: 0, endMs: 900, revision: 1 };
const others = { translated: "一。", translatedInto: null, translatedByHand: false, speaker: null };
const append = (entry: object) =>
  appendEntriesInput.safeParse({ lectureId: crypto.randomUUID(), from: 0, entries: [entry] });

describe("a row that a caller sends", () => {
  it("may have the former name, and no language", () => {
    const { data } = append({ ...others, ...times, english: "One." });
    expect(data?.entries).toEqual([{ ...others, ...times, original: "One." }]);
  });

  it("may have both names: the present one counts", () => {
    const { data } = append({ ...others, ...times, english: "Old.", original: "New." });
    expect(data?.entries[0]).toMatchObject({ original: "New." });
  });

  it.each([{}, { english: 1 }, { english: "a\0" }, null, "english", []])(
    "is refused with %j in place of its text",
    (text) => {
      expect(
        append(
          text && !Array.isArray(text) && typeof text === "object"
            ? { ...others, ...times, ...text }
            : (text as never),
        ).success,
      ).toBe(false);
    },
  );
});

describe("an answer to a caller of the version before", () => {
  const row = { original: "One.", spokenIn: "en", ...others, ...times } as const;

  it("is a lecture as its schema has it, with each text once", () => {
    const page = {
      id: "x",
      title: "original",
      speakerNames: { original: "Ada" },
      targetLanguage: "fr",
      originalText: "One.",
      entries: [row],
      nextCursor: null,
      combinedContent: [{ original: "One.", translated: "一。" }],
    } as unknown as LecturePage;
    const former = toFormerNames(page);
    expect(formerLecture.parse(former).entries[0]?.english).toBe("One.");
    // A title, and a speaker's label, stay what they are.
    expect(former).toMatchObject({ title: "original", speakerNames: { original: "Ada" } });
    expect(JSON.stringify(former).length).toBeLessThanOrEqual(JSON.stringify(page).length);
  });

  it("is a page of the search as its schema has it", () => {
    const hit = {
      kind: "entry",
      position: 0,
      startMs: 0,
      original: ["", "One", "."],
      translated: [""],
    };
    const page = { results: [{ hit }, { hit: { kind: "title" } }], nextCursor: null };
    const [found] = formerSearch.parse(toFormerNames(page as unknown as SearchPage)).results;
    expect(found?.hit).toMatchObject({ english: ["", "One", "."] });
  });
});

describe("a message to a reader of the version before", () => {
  const lecture: SharedLecture = {
    title: "Optics",
    speakerNames: {},
    mode: "until_revoked",
    mayCopy: true,
    sourceLanguage: "de",
    targetLanguage: "en",
    isTwoWay: true,
    languages: ["en", "fr", "sw", "zh-cn"],
  };
  const live: SharedLiveLine = {
    finalText: "Guten",
    interimText: "",
    spokenIn: "de",
    speaker: null,
    startMs: 0,
  };
  const times = { speaker: null, startMs: 0, endMs: 9 };
  const row: SharedRow = { position: 0, original: "Guten Tag.", spokenIn: "de", ...times };
  const messages: ShareServerMessage[] = [
    {
      type: "snapshot",
      epoch: "e",
      seq: 1,
      language: "fr",
      isLanguageRefused: false,
      pagesLeft: 0,
      summary: null,
      status: "live",
      isTranslationPaused: false,
      lecture,
      live,
      rows: [row],
      translations: [],
    },
    { type: "delta", from: 1, to: 2, rows: [row], live },
    { type: "delta", from: 1, to: 2, lecture },
    { type: "language", language: "fr", isLanguageRefused: false, pagesLeft: 0 },
    { type: "closed", reason: "full" },
  ];
  it.each(messages.map((message) => [message.type, message] as const))(
    "is one that its parser accepts: a %s",
    (_, message) => {
      const former = formerShareMessage.parse(toFormerMessage(message));
      if ("rows" in former && former.rows) expect(former.rows[0]?.english).toBe("Guten Tag.");
      if ("lecture" in former && former.lecture)
        expect(former.lecture).toMatchObject({
          targetLanguage: "none",
          languages: ["fr", "zh-cn"],
        });
    },
  );
});
