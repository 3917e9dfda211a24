/**
 * The key of `event` for shortcuts: a letter is small, also under Caps Lock, and a Latin one. On a keyboard of another
 * script it is the letter that the same key has on the US layout, so that Ctrl+Z is where such keyboards print it.
 */
export function getShortcutKey({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  const isOtherLetter = /^\p{L}$/u.test(key) && !/^\p{Script=Latin}$/u.test(key);
  const letter = isOtherLetter ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  return (letter ?? key).toLowerCase();
}
