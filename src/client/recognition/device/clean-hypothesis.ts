import { measureSpeech, type SpeechInterval } from "#client/sound/capture/voice-activity.ts";
import { listComparable, toComparable } from "#shared/word-units.ts";
import { countWholeWords, getWordSize } from "./agreement.ts";
import { isSilenceText } from "./silence-texts.ts";
import { alignToSpeech } from "./speech-bounds.ts";
import type { HypothesisWord } from "./speech-model.ts";

/** What a speech model returns is checked here before any of it is shown: Whisper writes words that nobody said. */

/** Why a hypothesis is not to be trusted as a whole. */
export type HypothesisFault = "repeated" | "tooMany" | "terms";

export interface CleanHypothesis {
  /** Times are on the clock of `HypothesisSound`, lie within the window and ascend without overlap. */
  words: HypothesisWord[];
  /** `repeated`: what follows `words` was left out. `tooMany`, `terms`: all words were. */
  fault: HypothesisFault | null;
}

/** The sound that was recognised; times are ms on the take's own clock. */
export interface HypothesisSound {
  startMs: number;
  endMs: number;
  /** Where somebody speaks, in order. */
  speech: readonly SpeechInterval[];
  /** Where a voice is certain, in order. */
  voice: readonly SpeechInterval[];
}

/** A word is heard this near to speech. */
const speechReachMs = 300;
/** A word that begins further behind the window's end was written for the silence that fills Whisper's 30 s. */
const endToleranceMs = 300;
/** Words that nobody can say in `speechMs` ms of speech. */
const getWordsMax = (speechMs: number) => 4 + (8 * speechMs) / 1_000;

/** Fewer words are a sentence of `silenceTexts` only by themselves, not at the end of another one. */
const silenceTextMin = 3;

/** Words of a hypothesis: more than twice as many as the tokens that a model writes for a window. */
export const hypothesisWordsMax = 1_000;

/** `words`: times are from the window's start. `terms`: those that the model was told, in their order. */
export function cleanHypothesis(
  words: readonly HypothesisWord[],
  sound: HypothesisSound,
  terms: readonly string[] = [],
): CleanHypothesis {
  const { startMs, endMs, speech } = sound;
  if (words.length > hypothesisWordsMax) return { words: [], fault: "tooMany" };
  // Somebody may say just these terms: then the model finds them without having been told.
  if (isTermList(words, terms)) return { words: [], fault: "terms" };
  const placed = joinPunctuation(words).map((word) => ({
    ...word,
    startMs: word.startMs + startMs,
    endMs: word.endMs + startMs,
  }));
  const spoken = removeSoundNames(placed, speech).filter(
    (word) => !(word.startMs > endMs + endToleranceMs),
  );
  // Before the words on silence are removed, because a repetition goes on there.
  const repetition = findRepetition(spoken);
  const timed = correctTimes(spoken.slice(0, repetition ?? spoken.length), sound);
  const heard = removeSilenceTexts(timed, speech).filter(
    (word) => measureSpeech(speech, word.startMs - speechReachMs, word.endMs + speechReachMs) > 0,
  );
  if (countWholeWords(heard) > getWordsMax(measureSpeech(speech, startMs, endMs)))
    return { words: [], fault: "tooMany" };
  return {
    words: alignToSpeech(heard, sound, startMs, endMs),
    fault: repetition === null ? null : "repeated",
  };
}

/** Whether the words are only a part of the list of terms, of at least two: the model has repeated its prompt. */
function isTermList(words: readonly HypothesisWord[], terms: readonly string[]): boolean {
  const join = (texts: readonly string[]) => ` ${listComparable(texts.join(" ")).join(" ")} `;
  const said = join(words.map(({ text }) => text));
  return (
    said.trim() !== "" &&
    join(terms).includes(said) &&
    !terms.some((term) => join([term]).includes(said))
  );
}

/** Punctuation by itself belongs to the word before it. */
function joinPunctuation(words: readonly HypothesisWord[]): HypothesisWord[] {
  const joined: HypothesisWord[] = [];
  for (const word of words) {
    const text = word.text.trim();
    const last = joined.at(-1);
    if (text === "") continue;
    if (toComparable(text) !== "" || /[[\](){}*♪（）【】［］]/u.test(text))
      joined.push({ ...word, text });
    else if (last !== undefined) {
      // An operator stands between words: "f(x) = 2".
      const isApart = word.text.startsWith(" ") && /^\p{Sm}+$/u.test(text);
      joined[joined.length - 1] = { ...last, text: `${last.text}${isApart ? " " : ""}${text}` };
    }
  }
  return joined;
}

const openers: Readonly<Record<string, string>> = {
  "[": "]",
  "(": ")",
  "{": "}",
  "<": ">",
  "*": "*",
  "♪": "♪",
  "（": "）",
  "【": "】",
  "［": "］",
};
/** Words in brackets that may name a sound, such as "(audience laughing loudly)". */
const soundNameWords = 5;
const soundNameLetters = 4;

/** Speech under each word in brackets that somebody says: "the interval [0, 1]". */
const bracketWordMs = 100;

/** Removes what names a sound in place of words: "[BLANK_AUDIO]", "(upbeat music)", "*sighs*", "♪". */
function removeSoundNames(
  words: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
): HypothesisWord[] {
  const kept: HypothesisWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const closer = openers[word.text[0] ?? ""];
    const isSpaced = getWordSize(words.slice(at, at + 2)) === 1;
    const span = words.slice(at, at + (isSpaced ? soundNameWords : soundNameLetters));
    const length =
      closer === undefined ? -1 : span.findIndex((one) => isClosedBy(one.text, closer));
    const named = span.slice(0, length + 1);
    const isSentence =
      endsSentence(kept.at(-1)?.text ?? ".") &&
      (at + length + 1 >= words.length || endsSentence(named.at(-1)?.text ?? ""));
    if (length >= 0 && isSoundName(named, isSentence, speech)) at += length;
    else if (toComparable(word.text) !== "") kept.push(word);
  }
  return kept;
}

/** What models write most for a sound that is heard beside speech. In other languages the sound itself decides. */
const soundNames =
  /♪|【|\b(?:music|musik|musique|música|applau\w*|laugh\w*|laughter|sighs?|coughs?|silence|noise|inaudible)\b|音[楽乐樂]|笑|拍手|掌[声聲]|박수|웃음|музыка|аплодисменты|смех/iu;

/** Whether words in brackets name a sound: by their form, as a sentence of their own, or because nobody says them. */
function isSoundName(
  words: readonly HypothesisWord[],
  isSentence: boolean,
  speech: readonly SpeechInterval[],
): boolean {
  const text = words.map((word) => word.text).join(" ");
  if (soundNames.test(text) || /^\W*[A-Z]{3}[A-Z_ ]*\W*$/.test(text)) return true;
  if (isSentence && /\p{L}/u.test(text)) return true;
  const speechMs = measureSpeech(speech, words[0]?.startMs ?? 0, words.at(-1)?.endMs ?? 0);
  return !(speechMs >= bracketWordMs * countWholeWords(words));
}

function isClosedBy(text: string, closer: string): boolean {
  const at = text.lastIndexOf(closer);
  return at !== -1 && /^[.,!?、。！？]*$/u.test(text.slice(at + closer.length));
}

/** Longest piece of text whose repetitions are looked for, in words. */
const unitMax = 12;
/** Repetitions that nobody says. */
const getRepeatsMax = (unit: number) => (unit === 1 ? 7 : unit < 4 ? 4 : 3);
/** Three repetitions are too many when their words are shorter than this, ms. */
const fastWordMs = 100;

/** Number of words up to the end of the first occurrence of what is repeated; null: nothing is. */
function findRepetition(words: readonly HypothesisWord[]): number | null {
  const texts = words.map(({ text }) => toComparable(text));
  const size = getWordSize(words);
  for (let at = 0; at < texts.length; at += 1) {
    for (let unit = 1; unit <= unitMax * size; unit += 1) {
      let end = at + unit;
      while (end < texts.length && texts[end] === texts[end - unit]) end += 1;
      const repeats = Math.floor((end - at) / unit);
      if (repeats < 3 || repeats * unit < 3 * size) continue;
      const first = words[at]?.startMs ?? 0;
      const last = words[at + repeats * unit - 1]?.endMs ?? 0;
      const isFast = (last - first) / (repeats * unit) < fastWordMs / size;
      if (isFast || repeats > getRepeatsMax(Math.ceil(unit / size))) return at + unit;
    }
  }
  return null;
}

/**
 * Puts times in order. The longest series of starts that ascend is taken as right; words whose start does not fit into
 * it, or is no number, share the speech between their neighbours.
 */
function correctTimes(words: readonly HypothesisWord[], sound: HypothesisSound): HypothesisWord[] {
  const isRight = findAscending(words.map(({ startMs }) => startMs));
  const clamp = (ms: number, fromMs: number) => Math.min(sound.endMs, Math.max(fromMs, ms));
  const corrected: HypothesisWord[] = [];
  let clockMs = sound.startMs;
  for (const [index, word] of words.entries()) {
    const { startMs, endMs } = word;
    const nextAt = words.findIndex((_, at) => at > index && isRight[at] === true);
    const nextMs = words[nextAt]?.startMs ?? sound.endMs;
    let [start, end] = [startMs, endMs];
    if (isRight[index] !== true) {
      const count = (nextAt === -1 ? words.length : nextAt) - index;
      const shared = findSpeech(sound.speech, clockMs, nextMs, count);
      start = shared.startMs;
      end = start + (shared.endMs - start) / count;
    }
    const fromMs = clamp(start, clockMs);
    // A word ends before the next one begins.
    clockMs = clamp(
      Math.min(Number.isFinite(end) ? end : fromMs, Math.max(fromMs, nextMs)),
      fromMs,
    );
    corrected.push({ ...word, startMs: fromMs, endMs: clockMs });
  }
  return corrected;
}

/** From the first to the last speech of `count` words between two times. Shorter pieces belong to their neighbours. */
function findSpeech(
  speech: readonly SpeechInterval[],
  fromMs: number,
  toMs: number,
  count: number,
): SpeechInterval {
  const inside = speech
    .map((one) => ({ startMs: Math.max(one.startMs, fromMs), endMs: Math.min(one.endMs, toMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .slice(0, count);
  if (inside.length === 0) return { startMs: fromMs, endMs: fromMs };
  return {
    startMs: Math.min(...inside.map(({ startMs }) => startMs)),
    endMs: Math.max(...inside.map(({ endMs }) => endMs)),
  };
}

/** Marks a longest series of ascending numbers; of several, one that ends late. */
function findAscending(numbers: readonly number[]): boolean[] {
  const lengths: number[] = [];
  const previous: number[] = [];
  let last = -1;
  for (const [index, value] of numbers.entries()) {
    lengths[index] = Number.isFinite(value) ? 1 : 0;
    previous[index] = -1;
    if (lengths[index] === 0) continue;
    for (let at = 0; at < index; at += 1) {
      const length = (lengths[at] ?? 0) + 1;
      if (length === 1 || (numbers[at] ?? 0) >= value || length < (lengths[index] ?? 0)) continue;
      lengths[index] = length;
      previous[index] = at;
    }
    if ((lengths[index] ?? 0) >= (lengths[last] ?? 0)) last = index;
  }
  const isMember = numbers.map(() => false);
  for (let at = last; at >= 0; at = previous[at] ?? -1) isMember[at] = true;
  return isMember;
}

/** Whether a sentence ends with `text`. */
export const endsSentence = (text: string): boolean => /[.!?。！？؟।]["'”’)」』）]*$/u.test(text);

/** Words of a sentence that may be judged by its sound alone, because their times are not exact. */
const soundlessWordsMin = 3;
/** Nobody says a word in so little speech, ms. */
const soundlessWordMs = 40;

/** A fast speaker's word, ms. */
const timedWordMs = 125;

/** Whether a sentence, in whichever language, has too little speech under it to be spoken. */
function isSoundless(
  sentence: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
): boolean {
  const count = countWholeWords(sentence);
  const startMs = sentence[0]?.startMs ?? 0;
  const endMs = sentence.at(-1)?.endMs ?? 0;
  // Words that share too little time have lost their own.
  if (count < soundlessWordsMin || endMs - startMs < timedWordMs * count) return false;
  const speechMs = measureSpeech(speech, startMs - speechReachMs, endMs + speechReachMs);
  return speechMs < soundlessWordMs * count;
}

function removeSilenceTexts(
  words: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
): HypothesisWord[] {
  const kept: HypothesisWord[] = [];
  let sentence: HypothesisWord[] = [];
  for (const [index, word] of words.entries()) {
    sentence.push(word);
    if (index < words.length - 1 && !endsSentence(word.text)) continue;
    if (!isSoundless(sentence, speech))
      kept.push(...sentence.slice(0, sentence.length - countSilenceText(sentence, speech)));
    sentence = [];
  }
  return kept;
}

/** Number of words at the end of `sentence` that are such a text, without enough speech under them. */
function countSilenceText(
  sentence: readonly HypothesisWord[],
  speech: readonly SpeechInterval[],
): number {
  const texts = sentence.map(({ text }) => toComparable(text));
  const endMs = sentence.at(-1)?.endMs ?? 0;
  for (const [from, word] of sentence.entries()) {
    const count = countWholeWords(sentence.slice(from));
    if (from > 0 && count < silenceTextMin) return 0;
    const speechMs = measureSpeech(speech, word.startMs, endMs);
    if (isSilenceText(texts.slice(from), count, speechMs)) return sentence.length - from;
  }
  return 0;
}
