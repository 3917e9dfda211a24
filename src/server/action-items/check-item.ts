import * as z from "zod/mini";
import { toLine, toOneLine } from "#server/ai/texts.ts";
import type { ActionItem } from "#shared/action-item.ts";
import { resolveDueDate } from "#shared/due-date.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import {
  actionNameMaxLength,
  actionRowsMax,
  actionTaskMaxLength,
  dueTextMaxLength,
} from "#shared/limits.ts";
import { formatSpeakerLabel } from "#shared/speaker-label.ts";
import { isQuoted } from "#shared/statements.ts";
import { readWords } from "#shared/term-words.ts";

/** A row as the model is given it. */
export interface SaidRow {
  id: string;
  startMs: number;
  original: string;
  spokenIn: SpokenLanguage;
  /** The provider's label. */
  speaker: string | null;
}

/** What is known of a lecture, beside its rows. */
export interface SaidIn {
  /** Speakers' names by label. */
  speakerNames: Readonly<Record<string, string>>;
  /** The day on which it was recorded, ISO 8601. */
  today: string;
}

/** The name of a row's speaker, or a label such as `S1`; null where it has none. */
export const nameSpeaker = (
  { speaker }: Pick<SaidRow, "speaker">,
  { speakerNames }: SaidIn,
): string | null => {
  if (speaker === null) return null;
  return Object.hasOwn(speakerNames, speaker)
    ? (speakerNames[speaker] ?? null)
    : formatSpeakerLabel(speaker);
};

const optionalText = z.catch(z.nullable(z.string()), null);
const answered = z.object({
  rows: z.array(z.string()).check(z.minLength(1)),
  quote: z.string(),
  task: z.string(),
  who: optionalText,
  due: optionalText,
});

/** Names whoever speaks. */
const firstPersons = new Set("i|me|myself|i'll|我|我自己|本人".split("|"));
/** Name nobody. */
const pronouns = new Set(
  "we|us|you|he|him|she|her|they|them|someone|somebody|anyone|nobody|one|it|this|that|who|unknown|none|null|n/a|speaker|我们|咱们|你|你们|您|他|她|他们|她们|有人|谁|某人|说话人|未知|无".split(
    "|",
  ),
);
const nameSeparator = /\s*(?:[,，、&/]|(?<=\s)(?:and|und|et|y|e|и)(?=\s)|[和与跟及])\s*/u;

/** Of a task's words that say something, and of its letters in scripts without spaces, so many were said at least. */
const wordsShare = 0.6;
const lettersShare = 0.7;
/** Shorter words say little by themselves. */
const wordMinLength = 4;
/** Letters of a word's end that a form of it may have besides. */
const endingMaxLength = 3;

/** Beginnings of a word that its forms share: send, sending. */
function listBeginnings(word: string): string[] {
  const least = Math.max(wordMinLength, word.length - endingMaxLength);
  return Array.from({ length: Math.max(0, word.length - least + 1) }, (_, more) =>
    word.slice(0, least + more),
  );
}

const wordsOfRows = new WeakMap<SaidRow, ReadonlySet<string>>();

/** The words of a row and their beginnings, in lower case. */
function listSaid(row: SaidRow): ReadonlySet<string> {
  const known = wordsOfRows.get(row);
  if (known) return known;
  const said = new Set<string>();
  for (const { text } of readWords(row.original, row.spokenIn)) {
    const word = text.toLowerCase();
    said.add(word);
    for (const beginning of listBeginnings(word)) said.add(`${beginning}…`);
  }
  wordsOfRows.set(row, said);
  return said;
}

/**
 * Whether most of what `task` says was said in `rows`: its words, in whatever form; all of its numbers; and all names in
 * it, which may be speakers' names as well.
 */
function isSupported(task: string, rows: readonly SaidRow[], speakers: readonly string[]): boolean {
  const language = rows[0]?.spokenIn ?? "en";
  const names = new Set(
    speakers.flatMap((name) =>
      [...readWords(name, language)].map(({ text }) => text.toLowerCase()),
    ),
  );
  const isSaid = (text: string) => {
    const word = text.toLowerCase();
    return (
      names.has(word) ||
      rows.some((row) => {
        const said = listSaid(row);
        return said.has(word) || listBeginnings(word).some((one) => said.has(`${one}…`));
      })
    );
  };
  const all = [...readWords(task, language)];
  const letters = [...new Set(all.filter(({ isLetter }) => isLetter).map(({ text }) => text))];
  const words = all.filter(({ isLetter }) => !isLetter).map(({ text }) => text);
  // In German every noun has a capital letter.
  const isName = (text: string) => language !== "de" && /^\p{Lu}/u.test(text);
  const exact = words.filter((text, at) => /\p{N}/u.test(text) || (at > 0 && isName(text)));
  if (all.length === 0 || !exact.every(isSaid)) return false;
  const long = words.filter((text) => text.length >= wordMinLength);
  const hasShare = (texts: readonly string[], share: number) =>
    texts.filter(isSaid).length >= share * texts.length;
  return hasShare(long.length > 0 ? long : words, wordsShare) && hasShare(letters, lettersShare);
}

/** Whether a name was said in `rows`, or is that of a speaker. */
function isNamed(name: string, rows: readonly SaidRow[], speakers: readonly string[]): boolean {
  const wanted = name.toLowerCase();
  if (speakers.some((speaker) => speaker.toLowerCase() === wanted)) return true;
  const words = [...readWords(name, rows[0]?.spokenIn ?? "en")];
  if (words.length === 0) return false;
  if (words.every(({ isLetter }) => isLetter))
    return isQuoted(
      name,
      rows.map((row) => row.original),
    );
  return words.every(({ text }) => rows.some((row) => listSaid(row).has(text.toLowerCase())));
}

/**
 * What the model has written of an item, as far as its rows support it. Null for one that names no row of `given`, that
 * quotes or says what nobody has said in them, or that names somebody who was not named. A time that was not said is left
 * out.
 *
 * @param given by the id that the prompt has given to each row
 * @param speakers names and labels of all who speak in the lecture
 */
export function checkItem(
  value: unknown,
  given: ReadonlyMap<string, SaidRow>,
  { speakers, ...lecture }: SaidIn & { speakers: readonly string[] },
): Omit<ActionItem, "id"> | null {
  const { data } = answered.safeParse(value);
  if (!data?.rows.every((id) => given.has(id))) return null;
  const rows = [...new Set(data.rows)].slice(0, actionRowsMax).flatMap((id) => given.get(id) ?? []);
  const originals = rows.map(({ original }) => original);
  const task = toOneLine(data.task);
  if (task.length > actionTaskMaxLength || data.quote.trim() === "") return null;
  if (!isQuoted(data.quote, originals) || !isSupported(task, rows, speakers)) return null;

  const said = toLine(data.who ?? "");
  const key = said.toLowerCase();
  const quoted = rows.find(({ original }) => isQuoted(data.quote, [original]));
  let who: string | null = said;
  if (firstPersons.has(key)) who = quoted ? nameSpeaker(quoted, lecture) : null;
  else if (key === "" || pronouns.has(key)) who = null;
  else if (said.length > actionNameMaxLength) return null;
  else if (!said.split(nameSeparator).every((name) => isNamed(name, rows, speakers))) return null;

  const due = toOneLine(data.due ?? "");
  const isDueSaid =
    due !== "" &&
    due.length <= dueTextMaxLength &&
    isQuoted(
      due.toLowerCase(),
      originals.map((text) => text.toLowerCase()),
    );
  return {
    task,
    who,
    due: isDueSaid ? due : null,
    dueOn: isDueSaid ? resolveDueDate(due, lecture.today) : null,
    rows: rows.map(({ id, startMs }) => ({ id, startMs })),
    isDone: false,
    byHand: false,
  };
}
