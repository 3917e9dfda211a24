import { expect, test } from "vitest";
import { getShortcutKey } from "#client/lib/shortcut-key.ts";

test.each([
  ["a letter", "z", "KeyZ", "z"],
  ["Caps Lock or Shift", "Z", "KeyZ", "z"],
  ["a German keyboard, where Y is", "z", "KeyY", "z"],
  ["a French keyboard, where W is", "z", "KeyW", "z"],
  ["a Latin letter with an accent", "É", "Digit2", "é"],
  ["a Cyrillic keyboard", "я", "KeyZ", "z"],
  ["a Greek one under Caps Lock", "Ζ", "KeyZ", "z"],
  ["a Hebrew one", "ז", "KeyZ", "z"],
  ["a letter of another script that no Latin one is on", "ж", "Semicolon", "ж"],
  ["a sign", "?", "Slash", "?"],
  ["a key with a name", "Enter", "Enter", "enter"],
])("of %s", (_name, key, code, shortcutKey) => {
  expect(getShortcutKey({ key, code })).toBe(shortcutKey);
});
