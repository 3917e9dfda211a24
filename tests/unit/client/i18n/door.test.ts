import { expect, it } from "vitest";
import { keysOf } from "../../../../build/words.ts";
import en from "../../../../src/client/i18n/en.json";

const keys = Object.keys(en);

it("a page has the words that its program names, by themselves and put together", () => {
  // Of a component, and of a key that is put together.
  const record = keysOf("record", keys);
  for (const key of ["record.backToLive", "target.fr"]) expect(record, key).toContain(key);
  // Of a dialog that is loaded later, and of a module without React.
  const later = keysOf("record-later", keys);
  for (const key of ["saveDialog.title", "notice.recordingStarted"])
    expect(later, key).toContain(key);
  expect([...record].filter((key) => later.has(key))).toEqual([]);
  expect(new Set([...record, ...later])).not.toContain("plans.title");
  expect(keysOf("profile", keys)).toContain("plans.title");
});

it("what every page has is loaded once", () => {
  const door = keysOf("door", keys);
  for (const key of ["auth.signIn", "error.unavailable", "validation.email", "crash.title"])
    expect(door, key).toContain(key);
  expect(door).not.toContain("nav.home");
  for (const page of [
    "home",
    "home-later",
    "record",
    "record-later",
    "recordings",
    "trash",
    "profile",
  ])
    expect(
      [...keysOf(page, keys)].filter((key) => door.has(key)),
      page,
    ).toEqual([]);
});

it("a page that does not exist has none", () => {
  expect(() => keysOf("attic", keys)).toThrow("attic");
});
