import { describe, expect, it } from "vitest";
import { findOther, mergeRow } from "#client/lecture/rows/merge-rows.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

const machine = (translated: string) =>
  ({ translated, translatedInto: "fr", translatedByHand: false }) as const;
const person = (translated: string) =>
  ({ translated, translatedInto: "fr", translatedByHand: true }) as const;
const corrected = (original: string) => ({ original, originalByHand: true });

const base = createEntry("One.", 0, { id: "row", seq: 3, ...machine("Un.") });

/** What `page` and `stored` have made of `base` becomes: the fields that are not those of `base`. */
function merge(page: Partial<TranscriptEntry>, stored: Partial<TranscriptEntry>) {
  const merged = mergeRow({
    page: { ...base, ...page },
    base,
    stored: { ...base, seq: 7, ...stored },
  });
  expect(merged).toMatchObject({ id: "row", seq: 7 });
  const changes = Object.entries(merged ?? {}).filter(
    ([name, value]) => name !== "seq" && value !== base[name as keyof TranscriptEntry],
  );
  return Object.fromEntries(changes);
}

describe("a row that the page and another device have changed", () => {
  it("has the changes of both, if they are of different fields", () => {
    expect(merge({ speaker: "2" }, machine("Une."))).toEqual({ speaker: "2", translated: "Une." });
    expect(merge(person("À moi."), corrected("Two."))).toEqual({
      ...corrected("Two."),
      translated: "À moi.",
      translatedByHand: true,
    });
    expect(merge({ endMs: 1_200 }, { speaker: "1" })).toEqual({ endMs: 1_200, speaker: "1" });
  });

  it("keeps a person's text before a machine's", () => {
    expect(merge(person("À moi."), machine("Machine."))).toMatchObject({ translated: "À moi." });
    expect(merge(machine("Machine."), person("À elle."))).toMatchObject({
      translated: "À elle.",
      translatedByHand: true,
    });
    expect(merge({ original: "Heard again." }, corrected("Two."))).toMatchObject(corrected("Two."));
  });

  it("keeps the page's of two persons' texts, and of two machines'", () => {
    expect(merge(corrected("Mine."), corrected("Hers."))).toMatchObject(corrected("Mine."));
    expect(merge(person("À moi."), person("À elle."))).toMatchObject({ translated: "À moi." });
    expect(merge(machine("Ici."), machine("Là."))).toMatchObject({ translated: "Ici." });
  });

  it("has no translation of other words, unless a person has written it", () => {
    expect(merge({ ...corrected("Two."), ...machine("") }, machine("Une."))).toMatchObject({
      ...corrected("Two."),
      translated: "",
    });
    expect(merge(machine("Une."), { ...corrected("Two."), ...machine("Deux.") })).toMatchObject({
      ...corrected("Two."),
      translated: "Deux.",
    });
    expect(merge({ ...corrected("Two."), ...machine("") }, person("À elle."))).toMatchObject({
      ...corrected("Two."),
      translated: "À elle.",
      translatedByHand: true,
    });
  });

  it("keeps the ordinal that the server has given it", () => {
    expect(merge({ speaker: "2" }, { ordinal: 9 })).toEqual({ speaker: "2", ordinal: 9 });
  });

  it("is not changed where only the page knows the language of an old translation", () => {
    const old = { ...base, translatedInto: null };
    const page = { ...base, ...corrected("Two.") };
    const stored = { ...old, seq: 7, ...machine("Une.") };
    expect(mergeRow({ page, base: old, stored })).toMatchObject({ original: "Two." });
    expect(mergeRow({ page: base, base: old, stored })).toMatchObject({ translated: "Une." });
  });
});

describe("the formulas of a row", () => {
  const formulas = [{ words: "One", tex: "1" }];

  it("are those of the side that has changed them, as far as the text still has their words", () => {
    expect(merge({ formulas }, machine("Une."))).toEqual({ translated: "Une.", formulas });
    expect(merge({ speaker: "2" }, { formulas })).toEqual({ speaker: "2", formulas });
    expect(merge({ formulas }, corrected("Two."))).toEqual({ ...corrected("Two."), formulas: [] });
    const mine = [{ words: "One", tex: "x" }];
    expect(merge({ formulas: mine }, { formulas })).toEqual({ formulas: mine });
    // The page has had none before either.
    expect(merge({ formulas: [] }, { formulas })).toEqual({ formulas });
  });
});

describe("what another person has written and is not kept", () => {
  function find(page: Partial<TranscriptEntry>, change: Partial<TranscriptEntry>) {
    const stored = { ...base, seq: 7, ...change };
    const merged = mergeRow({ page: { ...base, ...page }, base, stored });
    return merged && findOther(merged, { base, stored });
  }

  it("is offered: the original, the translation, or both", () => {
    expect(find(corrected("Mine."), corrected("Hers."))).toEqual({ original: "Hers." });
    expect(find(person("À moi."), person("À elle."))).toEqual({ translated: "À elle." });
    const mine = { ...corrected("Mine."), ...person("À moi.") };
    const hers = { ...corrected("Hers."), ...person("À elle.") };
    expect(find(mine, hers)).toEqual({ original: "Hers.", translated: "À elle." });
    expect(find(corrected("Mine."), hers)).toEqual({ original: "Hers." });
  });

  it("is no machine's text, none that is the same, and none that was there before", () => {
    expect(find(corrected("Mine."), { original: "Heard again." })).toBeUndefined();
    expect(find(person("À moi."), machine("Machine."))).toBeUndefined();
    expect(find(corrected("Two."), corrected("Two."))).toBeUndefined();
    expect(find(person("À nous."), person("À nous."))).toBeUndefined();
    expect(find(corrected("Mine."), person("À elle."))).toBeUndefined();
    const known = { ...base, ...corrected("Hers.") };
    const page = { ...known, ...corrected("Mine.") };
    const stored = { ...known, seq: 7, speaker: "2" };
    expect(findOther(page, { base: known, stored })).toBeUndefined();
  });

  it("is no blank, which a person has left of a translation", () => {
    expect(find(person("À moi."), { ...person(""), translatedInto: null })).toBeUndefined();
  });

  it("is offered as well where both have made the row", () => {
    const stored = { ...base, seq: 7, ...corrected("Hers.") };
    const page = { ...base, ...corrected("Mine.") };
    expect(findOther(page, { base: null, stored })).toEqual({ original: "Hers." });
  });
});

describe("a row that both have made", () => {
  it("is the page's, but for what a person has written in the stored one", () => {
    const page = { ...base, seq: 0, ...machine("Ici.") };
    const stored = { ...base, seq: 7, ...machine("Là.") };
    expect(mergeRow({ page, base: null, stored })).toMatchObject({ translated: "Ici.", seq: 7 });
    const hers = { ...stored, ...person("À elle.") };
    expect(mergeRow({ page, base: null, stored: hers })).toMatchObject({ translated: "À elle." });
  });
});

describe("a row that another device has deleted", () => {
  const mergeDeleted = (page: Partial<TranscriptEntry>) =>
    mergeRow({ page: { ...base, ...page }, base, stored: null });

  it("goes, also if a machine has changed it here", () => {
    expect(mergeDeleted(machine("Une."))).toBeNull();
  });

  it("comes back if a person has changed it here", () => {
    expect(mergeDeleted(corrected("Two."))).toEqual({ ...base, ...corrected("Two.") });
    expect(mergeDeleted(person("À moi."))).toMatchObject(person("À moi."));
  });

  it("goes if a person had changed it before, and whoever deleted it knew that", () => {
    const known = { ...base, ...corrected("Two.") };
    const page = { ...known, ...machine("Deux.") };
    expect(mergeRow({ page, base: known, stored: null })).toBeNull();
  });
});
