import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lectures, marks, transcriptEntries } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { refreshSearchIndex } from "#server/search/refresh.ts";
import { searchLectures } from "#server/search/search.ts";
import { searchPageSize } from "#shared/limits.ts";
import type { MarkedText, SearchHit, SearchPage } from "#shared/search.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { addUser, createTestDatabase } from "#tests/unit/server/support/test-database.ts";

const clock = { now: () => new Date() };

/** Compares the search with one that reads the text of all lectures. */

const database = createTestDatabase();

/** Forms and their stems; "capability" does not begin with its stem. */
const stems: Record<string, string> = {
  quark: "quark",
  quarks: "quark",
  wave: "wave",
  waving: "wave",
  waveguide: "waveguid",
  capable: "capabl",
  capability: "capabl",
  the: "",
};
const words = Object.keys(stems);
const runs = ["光学", "学习", "光", "习光", "光学习"];
/** Words of a query. A passage may contain the pairs of "光学习" without the run. */
const searchableTerms = [...words, ...runs, "学", "quar", "wav", "qu"];

type Row = [original: string[], translated: string[]];
interface Lecture {
  id: string;
  day: number;
  title: string;
  summary: string[] | null;
  text: string[];
  notes: string[];
  rows: Row[];
}

const arbitrarySubset = (pool: string[], { most }: { most: number }) =>
  fc.array(fc.constantFrom(...pool), { maxLength: most });
const line = arbitrarySubset([...words, ...runs], { most: 3 }).map((parts) => parts.join(" "));
const lecture: fc.Arbitrary<Lecture> = fc.record({
  id: fc.uuid(),
  day: fc.integer({ min: 1, max: 3 }),
  title: line.map((text) => `${text} T`),
  summary: fc.option(fc.array(line, { maxLength: 3 })),
  text: fc.array(line, { maxLength: 3 }),
  notes: fc.array(line, { maxLength: 3 }),
  rows: fc.array(
    fc.tuple(arbitrarySubset(words, { most: 2 }), arbitrarySubset(runs, { most: 1 })),
    {
      maxLength: 70,
      size: "max",
    },
  ),
});
const query = fc.uniqueArray(fc.constantFrom(...searchableTerms), { minLength: 1, maxLength: 4 });

const original = ([parts]: Row) => parts.join(" ");
const translated = ([, parts]: Row) => parts.join("，");

async function store(db: Database, userId: string, library: readonly Lecture[]): Promise<void> {
  for (const { id, day, title, summary, text, notes, rows } of library) {
    await db.insert(lectures).values({
      id,
      userId,
      title,
      targetLanguage: "zh-cn",
      summary: summary?.join("\n") ?? null,
      originalText: text.join("\n"),
      createdAt: new Date(Date.UTC(2026, 10, day)),
    });
    const entries = rows.map((row, ordinal) => ({
      lectureId: id,
      ordinal,
      original: original(row),
      translated: translated(row),
      startMs: ordinal,
      endMs: ordinal,
    }));
    if (entries.length > 0) await db.insert(transcriptEntries).values(entries);
    const noted = notes.map((note, n) => ({
      lectureId: id,
      id: crypto.randomUUID(),
      atMs: 20 * n,
      note,
    }));
    if (noted.length > 0) await db.insert(marks).values(noted);
  }
  while ((await refreshSearchIndex(db, userId)).count > 0);
}

const isWord = (term: string) => /^[a-z]/.test(term);
/** A word without a stem here is a prefix, not a form. */
const toStem = (word: string) => stems[word] ?? word;

function containsTerm(text: string, term: string): boolean {
  if (!isWord(term)) return text.includes(term);
  return text.split(/[^a-z]+/).some((word) => {
    const stem = stems[word];
    return stem && (stem === toStem(term) || (term.length >= 3 && stem.startsWith(term)));
  });
}

const countTerms = (text: string, terms: string[]) =>
  terms.filter((t) => containsTerm(text, t)).length;

/** A result without its marks. */
type Place =
  | { kind: "title" }
  | { kind: "summary" | "text"; text: string }
  | { kind: "note" | "slide"; position: number; startMs: number; text: string }
  | { kind: "entry"; position: number; startMs: number; original: string; translated: string };

interface Passage {
  /** Of equal places the first is shown. */
  rank: number;
  lines: { text: string; hit: Place }[];
}

function listPassages({ title, summary, text, notes, rows }: Lecture): Passage[] {
  const found: Passage[] = [
    { rank: 10_003, lines: [{ text: title, hit: { kind: "title" } }] },
    {
      rank: 10_002,
      lines: (summary ?? []).map((t) => ({ text: t, hit: { kind: "summary", text: t } })),
    },
    {
      rank: 10_000,
      lines: notes.map((t, n) => {
        const position = Math.max(0, Math.min(20 * n, rows.length - 1));
        return { text: t, hit: { kind: "note", position, startMs: 20 * n, text: t } };
      }),
    },
    { rank: 10_001, lines: text.map((t) => ({ text: t, hit: { kind: "text", text: t } })) },
  ];
  for (let from = 0; from < rows.length; from += 32)
    found.push({
      rank: from,
      lines: rows.slice(from, from + 32).map((row, n) => ({
        text: `${original(row)} ${translated(row)}`,
        hit: {
          kind: "entry",
          position: from + n,
          startMs: from + n,
          original: original(row),
          translated: translated(row),
        },
      })),
    });
  return found;
}

function compare(a: (number | string)[], b: (number | string)[]): number {
  const at = a.findIndex((value, n) => value !== b[n]);
  return at < 0 ? 0 : (a[at] ?? 0) < (b[at] ?? 0) ? -1 : 1;
}

/** All places that may be shown for a lecture; null if a word does not occur in it. */
function findPassage(lecture: Lecture, terms: string[]) {
  const isTitle = ({ rank }: Passage) => rank === 10_003;
  const counted = listPassages(lecture).map((passage) => {
    const whole = passage.lines.map(({ text }) => text).join(" \n ");
    return { passage, terms: terms.filter((term) => containsTerm(whole, term)) };
  });
  if (!terms.every((term) => counted.some((one) => one.terms.includes(term)))) return null;
  const sum = counted.reduce((total, one) => total + one.terms.length, 0);
  const inTitle = counted.find(({ passage }) => isTitle(passage))?.terms.length ?? 0;
  const [best] = counted.toSorted((a, b) => {
    const key = (one: typeof a) => {
      const whole = isTitle(one.passage) && one.terms.length === terms.length;
      return [-one.terms.length, whole ? 0 : 1, one.passage.rank];
    };
    return compare(key(a), key(b));
  });
  const lines = best?.passage.lines ?? [];
  const most = Math.max(...lines.map(({ text }) => countTerms(text, terms)));
  return {
    score: 1_000 * inTitle + Math.min(sum, 999),
    places: lines.filter(({ text }) => countTerms(text, terms) === most).map(({ hit }) => hit),
  };
}

/** Lectures in order with the places that may be shown. */
function findAll(library: readonly Lecture[], queryTerms: string[]) {
  const terms = queryTerms.filter((term) => term !== "the");
  if (terms.length === 0) return [];
  return library
    .flatMap((lecture) => {
      const found = findPassage(lecture, terms);
      return found ? [{ ...found, ...lecture }] : [];
    })
    .toSorted((a, b) => compare([b.score, b.day, b.id], [a.score, a.day, a.id]));
}

/** The results of all pages; expects each page but the last to be full. */
async function searchAll(db: Database, userId: string, query: string) {
  const found: SearchPage["results"] = [];
  let cursor: string | null = null;
  do {
    const page = await searchLectures(db, { userId, query, cursor, clock });
    found.push(...page.results);
    cursor = page.nextCursor;
    if (cursor !== null) expect(page.results).toHaveLength(searchPageSize);
  } while (cursor !== null);
  return found;
}

function withoutMarks(hit: SearchHit): Place {
  if (hit.kind === "title") return hit;
  if (hit.kind !== "entry") return { ...hit, text: hit.text.join("") };
  const { spokenIn: _spokenIn, translatedInto: _translatedInto, ...place } = hit;
  return { ...place, original: hit.original.join(""), translated: hit.translated.join("") };
}

/** The marked words, which are never adjacent. */
const listMarks = (text: MarkedText) => text.filter((_, index) => index % 2 === 1);

function expectMarks(hit: SearchHit, queryTerms: string[]): void {
  if (hit.kind !== "entry") return;
  const spoken = hit.original.join("").split(" ");
  expect(listMarks(hit.original)).toEqual(
    spoken.filter((word) => countTerms(word, queryTerms) > 0),
  );
  const isFound = queryTerms.some(
    (term) => !isWord(term) && containsTerm(hit.translated.join(""), term),
  );
  expect(listMarks(hit.translated).length > 0).toBe(isFound);
}

/**
 * Whether the order follows from the text. A passage is counted by its pairs, also where those of a
 * longer run are separate.
 */
const isOrderExact = (queryTerms: string[]) =>
  queryTerms.every((term) => isWord(term) || term.length <= 2);

test("finds the same results in the same order as a full scan", { timeout: 60_000 }, async () => {
  const libraries = fc.uniqueArray(lecture, {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 30,
    size: "max" as const,
  });
  await fc.assert(
    fc.asyncProperty(
      libraries,
      fc.array(query, { minLength: 12, maxLength: 12 }),
      async (library, queries) => {
        const db = database();
        const { id: userId } = await addUser(db);
        try {
          await store(db, userId, library);
          for (const queryTerms of queries) {
            const query = queryTerms.join(" ");
            const results = await searchAll(db, userId, query);
            const expected = findAll(library, queryTerms);
            const [ids, expectedIds] = [
              results.map(({ lectureId }) => lectureId),
              expected.map(({ id }) => id),
            ];
            if (isOrderExact(queryTerms)) expect(ids, query).toEqual(expectedIds);
            else expect(ids.toSorted(), query).toEqual(expectedIds.toSorted());
            for (const { lectureId, hit } of results) {
              const places = expected.find(({ id }) => id === lectureId)?.places;
              expect(places, query).toContainEqual(withoutMarks(hit));
              expectMarks(hit, queryTerms);
            }
          }
        } finally {
          // The next library may use the same lecture ids.
          await db.delete(lectures).where(eq(lectures.userId, userId));
        }
      },
    ),
    { numRuns: countRuns(10), interruptAfterTimeLimit: 30_000 },
  );
});
