import { getLanguageName, spokenLanguages } from "#shared/languages.ts";
import { listFormKeys } from "#shared/term-forms.ts";
import { isUnspaced } from "#shared/words.ts";

/** The agreed translations of a prompt, which the stand-in writes in place of the terms. */

interface AgreedTerm {
  source: string;
  target: string;
}

/** The longest terms first. */
export function extractTerms(user: string): AgreedTerm[] {
  const block = /^<agreed_terms>\n(.*?)\n<\/agreed_terms>/ms.exec(user)?.[1] ?? "";
  const terms = block.split("\n").flatMap((line) => {
    const [source = "", target = ""] = line.split(" → ");
    return source && target ? [{ source, target }] : [];
  });
  return terms.sort((a, b) => b.source.length - a.source.length);
}

const word = /[\p{L}\p{M}\p{N}]+[+#]*/gu;

/** `text` with the translations in place of the terms, in any form of the language that `system` says was spoken. */
export function replaceTerms(text: string, terms: readonly AgreedTerm[], system: string): string {
  const [, ofRows, ofSentence] =
    /transcribed (.+?) speech|^You interpret a lecture in (.+?)\.$/m.exec(system) ?? [];
  const name = ofRows ?? ofSentence;
  const language = spokenLanguages.find((code) => getLanguageName(code, "en") === name) ?? "en";
  const toKeys = (words: string, where: "term" | "text") =>
    Array.from(words.matchAll(word), ({ 0: one, index }) => ({
      keys: listFormKeys(one, language, where),
      from: index,
      to: index + one.length,
    }));
  // Pieces that were replaced are no longer text.
  let pieces: { text: string; isDone: boolean }[] = [{ text, isDone: false }];
  for (const { source, target } of terms) {
    const keys = toKeys(source, "term");
    pieces = pieces.flatMap((piece) => {
      if (piece.isDone) return piece;
      const places = isUnspaced(source)
        ? findText(piece.text.toLowerCase(), source.toLowerCase())
        : findPlaces(toKeys(piece.text, "text"), keys);
      return split(piece.text, places, target);
    });
  }
  return pieces.map((piece) => piece.text).join("");
}

interface Place {
  from: number;
  to: number;
}

function findText(text: string, part: string): Place[] {
  const places: Place[] = [];
  for (let from = text.indexOf(part); from >= 0; from = text.indexOf(part, from + part.length))
    places.push({ from, to: from + part.length });
  return places;
}

type Words = readonly (Place & { keys: readonly string[] })[];

function findPlaces(words: Words, term: Words): Place[] {
  const places: Place[] = [];
  for (let at = 0; at + term.length <= words.length; at += 1) {
    const isTerm = term.every(({ keys }, n) =>
      words[at + n]?.keys.some((key) => keys.includes(key)),
    );
    const [first, last] = [words[at], words[at + term.length - 1]];
    if (isTerm && first && last) {
      places.push({ from: first.from, to: last.to });
      at += term.length - 1;
    }
  }
  return places;
}

function split(text: string, places: readonly Place[], target: string) {
  let end = 0;
  const pieces = places.flatMap(({ from, to }) => {
    const before = { text: text.slice(end, from), isDone: false };
    end = to;
    return [before, { text: target, isDone: true }];
  });
  return [...pieces, { text: text.slice(end), isDone: false }];
}
