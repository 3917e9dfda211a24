/** Values of settings that may stand in a report: names of models, and numbers. */
const openSettings =
  /^(?:LLM_MODEL|DEEPGRAM_MODEL|LLM_CONTEXT_TOKENS|SONIOX_ENDPOINT_SENSITIVITY)$/;

/** A shorter value is no key, and may stand anywhere. */
const secretMinLength = 6;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "[address]"],
  [/\b(?:Bearer|Token)\s+[\w.~+/=-]+/gi, "[key]"],
  [/\b(?:sk|rk|pk|re|whsec|cus|sub|cs|pm|bps|si|req|evt)_[\w-]{6,}/g, "[id]"],
  [/\bsk-[\w-]{6,}/g, "[key]"],
  // Of an address only the host: user, password, path and query may hold a key.
  [/\b((?:https?|wss?):\/\/)(?:[^\s/@]*@)?([\w.:[\]-]+)[^\s|)]*/g, "$1$2"],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, "[id]"],
];

/**
 * `text` without the values of the settings, keys, ids, e-mail addresses and parts of web addresses that may hold a key.
 * What is reported of a service's answers has no texts anyway; messages of errors may.
 */
export function redact(
  text: string,
  settings: Readonly<Record<string, string | undefined>>,
): string {
  const secrets = Object.entries(settings)
    .filter(([name, value]) => (value ?? "").length >= secretMinLength && !openSettings.test(name))
    .map(([name, value]) => [name, value ?? ""] as const)
    // A value that is part of another one comes after it.
    .sort(([, a], [, b]) => b.length - a.length);
  let redacted = text;
  for (const [name, value] of secrets) redacted = redacted.replaceAll(value, `[${name}]`);
  for (const [pattern, replacement] of patterns) redacted = redacted.replace(pattern, replacement);
  return redacted;
}
