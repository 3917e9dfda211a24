import fc from "fast-check";
import type { ExportedLecture, ExportedRow } from "#client/features/export/exported-lecture.ts";
import type { FileLabels } from "#client/features/export/formats.ts";
import { getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import type { Lecture, TranscriptEntry } from "#shared/lecture.ts";
import texts from "./sample-texts.json" with { type: "json" };

/** A sentence of each language, with what its script asks of a typesetter. */
export const sentences: typeof texts.sentences = texts.sentences;

export const sampleLanguages = Object.keys(sentences) as (keyof typeof sentences)[];

export const row = (change: Partial<ExportedRow> = {}): ExportedRow => ({
  original: "Hello everybody.",
  originalLanguage: { lang: "en", dir: "ltr" },
  isSecond: false,
  translated: "",
  language: { lang: "zh-Hans", dir: "ltr" },
  speaker: null,
  startMs: 0,
  endMs: 0,
  marks: [],
  gaps: [],
  ...change,
});

/** A row with a sentence in `language`, `index` seconds into the lecture. */
export const rowIn = (language: keyof typeof sentences, index: number): ExportedRow =>
  row({
    original: `This is the office sentence number ${index}.`,
    translated: sentences[language],
    language: getTextLanguage(getTranslationTag(language)),
    speaker: index % 2 === 0 ? "Ann" : "S2",
    startMs: index * 61_000,
    endMs: index * 61_000 + 4_000,
  });

export const createExportedLecture = (
  rows: ExportedRow[],
  change: Partial<ExportedLecture> = {},
): ExportedLecture => ({
  title: "Machine Learning",
  createdAt: "2026-11-20T15:05:00.000Z",
  demoMark: null,
  summary: null,
  actionItems: [],
  gaps: [],
  languages: { original: "en", translation: "zh-Hans" },
  isTwoWay: false,
  terms: [],
  rows,
  ...change,
});

export const fileLabels: FileLabels = {
  date: "Nov 20, 2026, 3:05 PM",
  summary: "Summary",
  actions: "To do",
  transcript: "Transcript",
  note: "Note",
  terms: "Terms",
  slide: "Slide",
  language: "en",
};

/** A stored lecture. */
export const createLecture = (
  entries: Partial<TranscriptEntry>[],
  change: Partial<Lecture> = {},
): Lecture => ({
  id: crypto.randomUUID(),
  title: "Machine Learning",
  titleSource: "person",
  status: "completed",
  folderId: null,
  createdAt: "2026-11-20T15:05:00.000Z",
  updatedAt: "2026-11-20T15:05:00.000Z",
  excerpt: "",
  translatedExcerpt: "",
  usedTime: 0,
  hasDemoText: false,
  sourceLanguage: "en",
  targetLanguage: "zh-cn",
  isTwoWay: false,
  summary: null,
  context: null,
  speakerNames: {},
  actionItems: [],
  originalText: "",
  translatedText: "",
  marks: [],
  takes: [],
  seq: 1,
  entries: entries.map((entry, index) => ({
    id: `${index}`,
    seq: 1,
    ordinal: index,
    original: "",
    originalByHand: false,
    translated: "",
    translatedInto: null,
    spokenIn: "en",
    translatedByHand: false,
    speaker: null,
    startMs: 0,
    endMs: 0,
    ...entry,
  })),
  ...change,
});

/** Text as people say it, with what formats stumble over. */
export const sayings = fc
  .array(fc.constantFrom(...texts.words), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(" "));

/** Rows whose times may be missing, equal, out of order or overlapping. */
export const anyRows = fc
  .array(
    fc.record({
      original: sayings,
      translated: fc.oneof(fc.constant(""), sayings),
      startMs: fc.oneof(fc.constant(0), fc.nat(200_000)),
      length: fc.oneof(fc.constant(0), fc.nat(20_000)),
      speaker: fc.constantFrom(null, "S1", "Ann & Bob", "A > B"),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((rows) => rows.map(({ length, ...rest }) => row({ ...rest, endMs: rest.startMs + length })));
