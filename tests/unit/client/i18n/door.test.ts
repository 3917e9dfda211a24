import { expect, it } from "vitest";
import { keysOf } from "../../../../build/words.ts";
import en from "../../../../src/client/i18n/en.json";

const keys = Object.keys(en);

it("a page has the words that its program names, by themselves and put together", () => {
  const record = keysOf("record", keys);
  // Of a dialog that is loaded later, of a module without React, and of a key that is put together.
  for (const key of ["saveDialog.title", "notice.recordingStarted", "target.fr"])
    expect(record, key).toContain(key);
  expect(record).not.toContain("plans.title");
  expect(keysOf("profile", keys)).toContain("plans.title");
});

it("what every page has is loaded once", () => {
  const door = keysOf("door", keys);
  for (const key of ["auth.signIn", "error.unavailable", "validation.email", "crash.title"])
    expect(door, key).toContain(key);
  expect(door).not.toContain("nav.home");
  for (const page of ["home", "record", "recordings", "trash", "profile"])
    expect(
      [...keysOf(page, keys)].filter((key) => door.has(key)),
      page,
    ).toEqual([]);
});

it("a page that does not exist has none", () => {
  expect(() => keysOf("attic", keys)).toThrow("attic");
});
