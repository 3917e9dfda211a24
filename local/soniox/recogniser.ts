import type { SpokenLanguage } from "#shared/languages.ts";
import { Hearing } from "./hearing.ts";
import { hasSpaces } from "./number-words.ts";
import { spellWord } from "./pattern.ts";
import { type DecodedWord, PatternDecoder } from "./pattern-decoder.ts";
import { SampleReader, type SpokenWord } from "./sample-reader.ts";
import { listSampleWords } from "./sample-words.ts";
import type { HeardWord, StreamTranslator, TranslatedPiece } from "./stream-translator.ts";
import { type Subword, splitIntoSubwords } from "./subwords.ts";
import { blockMs, ToneDetector } from "./tones.ts";
import { VoiceDetector } from "./voice.ts";

export interface Token {
  text: string;
  start_ms?: number;
  end_ms?: number;
  confidence: number;
  is_final: boolean;
  speaker?: string;
  /** Only with identification or translation. */
  language?: SpokenLanguage;
  /** Only with translation. */
  translation_status?: "none" | "original" | "translation";
  /** Only of a translation. */
  source_language?: SpokenLanguage;
}

/** The part of an answer that depends on the audio. */
export interface Progress {
  tokens: Token[];
  final_audio_proc_ms: number;
  total_audio_proc_ms: number;
}

export interface RecogniserOptions {
  /** Hz. */
  sampleRate: number;
  diarization: boolean;
  /** Hints: what is spoken; empty for any language. */
  languages: readonly SpokenLanguage[];
  identifiesLanguage: boolean;
  /** Longest pause before an endpoint, ms; null disables endpoints. */
  endpointDelayMs: number | null;
  hearing?: Hearing;
  translator?: StreamTranslator | null;
}

/** A part of a word becomes final after this much more audio. */
const finalDelayMs = 600;
/** In silence, the final time stays this far behind the total time: more than one burst of the pattern. */
const finalLagMs = 1_000;
/** An interim word shows its punctuation after this time, as with the service. */
const punctuationDelayMs = 300;
/** After the end of a sentence, this pause is an endpoint. */
const sentenceEndpointMs = 1_000;

/** `completes`: the word that is final with this part. */
type PendingSubword = Subword &
  Pick<SpokenWord, "speaker" | "language"> & { completes?: HeardWord };

/**
 * Recognises speech for the stand-in: samples in, tokens out. The words, their times and the order in which
 * they become final depend on the samples alone, not on the clock or the slicing of the audio. Voice becomes
 * the sample lecture; after the first word of the test pattern, only the pattern is decoded.
 */
export class Recogniser {
  private readonly block: Float32Array;
  private filledSamples = 0;
  private blockCount = 0;
  private readonly msPerBlock: number;
  private readonly tones: ToneDetector;
  private readonly decoder = new PatternDecoder();
  private readonly voice = new VoiceDetector();
  private readonly sampleReader: SampleReader;
  private readonly hearing: Hearing;
  private hasPattern = false;
  private pending: PendingSubword[] = [];
  private finals: Token[] = [];
  private readonly speakers = new Map<number, string>();
  private finalMs = 0;
  private lastWordMs: number | null = null;
  private hasSentenceEnded = false;
  private lastSoundMs = 0;
  private verdictCount = 0;

  constructor(private readonly options: RecogniserOptions) {
    const blockSamples = Math.round((options.sampleRate * blockMs) / 1000);
    this.block = new Float32Array(blockSamples);
    this.msPerBlock = (blockSamples / options.sampleRate) * 1000;
    this.hearing = options.hearing ?? new Hearing();
    this.sampleReader = new SampleReader(listSampleWords(options.languages), this.hearing);
    this.tones = new ToneDetector(blockSamples, options.sampleRate);
  }

  /** Duration of the audio so far, ms. */
  get totalMs(): number {
    return (
      this.blockCount * this.msPerBlock + (this.filledSamples / this.options.sampleRate) * 1000
    );
  }

  /** Accepts any number of samples between -1 and 1. */
  feed(samples: Float32Array): void {
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + this.block.length - this.filledSamples);
      this.block.set(part, this.filledSamples);
      this.filledSamples += part.length;
      at += part.length;
      if (this.filledSamples === this.block.length) {
        this.filledSamples = 0;
        this.blockCount++;
        this.processBlock();
      }
    }
  }

  /** Makes everything so far final. */
  finalize(): void {
    const word = this.decoder.flush();
    if (word) this.addPatternWord(word);
    for (let verdict = this.voice.flushNext(); verdict !== null; verdict = this.voice.flushNext())
      this.processVerdict(verdict);
    this.finalizeUntil(Number.POSITIVE_INFINITY);
    this.finalMs = this.totalMs;
  }

  /** Gives the translations of everything so far. False: there are none. */
  finalizeTranslations(): boolean {
    const translated = this.options.translator?.flush() ?? [];
    this.finals.push(...this.toTranslated(translated, true));
    return translated.length > 0;
  }

  /** The new final tokens (each is returned once), then all interim tokens. */
  takeProgress(): Progress {
    const tokens = [...this.finals, ...this.getInterimTokens()];
    const provisional = this.options.translator?.listProvisional(this.totalMs) ?? [];
    tokens.push(...this.toTranslated(provisional, false));
    this.finals = [];
    return {
      tokens,
      final_audio_proc_ms: Math.floor(this.finalMs),
      total_audio_proc_ms: Math.floor(this.totalMs),
    };
  }

  /** Adds the token that marks an endpoint or the end of a finalize. */
  addMark(text: "<end>" | "<fin>"): void {
    const at = Math.round(this.lastWordMs ?? this.totalMs);
    this.finals.push({ text, start_ms: at, end_ms: at, confidence: 1, is_final: true });
  }

  private processBlock(): void {
    const now = this.blockCount * this.msPerBlock;
    const symbol = this.tones.feed(this.block);
    const word = this.decoder.feed(symbol, this.tones.windowPower, now);
    if (word) this.addPatternWord(word);
    if (this.decoder.isSounding) this.lastSoundMs = now;
    const verdict = this.voice.feed(this.tones.windowPower, this.decoder.isSounding);
    if (verdict !== null) this.processVerdict(verdict);
    this.finalizeUntil(now - finalDelayMs);
    const translated = this.options.translator?.takeFinal(now) ?? [];
    this.finals.push(...this.toTranslated(translated, true));
    this.detectEndpoint(now);
    const unfinishedMs = Math.min(
      this.pending[0]?.startMs ?? Number.POSITIVE_INFINITY,
      this.sampleReader.currentStartMs ?? Number.POSITIVE_INFINITY,
    );
    this.finalMs = Math.max(this.finalMs, Math.min(now - finalLagMs, unfinishedMs));
  }

  private processVerdict(isVoiced: boolean): void {
    this.verdictCount++;
    const at = this.verdictCount * this.msPerBlock;
    if (this.hasPattern) return;
    if (isVoiced) this.lastSoundMs = Math.max(this.lastSoundMs, at);
    const spoken = this.sampleReader.feed(isVoiced, at);
    if (spoken) this.addWord(spoken, endsSentence(spoken.text));
  }

  private addPatternWord(word: DecodedWord): void {
    this.hasPattern = true;
    const language = this.hearing.getLanguage(word.speaker, this.options.languages);
    const text = this.hearing.readScript(word.number);
    const { number } = word;
    if (text !== null) this.addWord({ ...word, language, text }, endsSentence(text));
    else
      this.addWord(
        { ...word, language, text: spellWord(word, language) },
        word.endsSentence,
        number,
      );
  }

  private addWord(word: SpokenWord, endsSentence: boolean, number?: number): void {
    const { text, speaker, language, endMs, sentence } = word;
    const heard: HeardWord = {
      text,
      language,
      speaker,
      endsSentence,
      ...(number !== undefined && { number }),
      ...(sentence && { sentence }),
    };
    const pieces = this.split(word);
    for (const [index, piece] of pieces.entries())
      this.pending.push({
        ...piece,
        speaker,
        language,
        ...(index === pieces.length - 1 && { completes: heard }),
      });
    this.lastWordMs = endMs;
    this.lastSoundMs = Math.max(this.lastSoundMs, endMs);
    this.hasSentenceEnded = endsSentence;
  }

  private split({ text, language, startMs, endMs }: SpokenWord): Subword[] {
    // In Thai, a space stands between sentences.
    const isSpaced = hasSpaces(language) || (language === "th" && this.hasSentenceEnded);
    return splitIntoSubwords(text, Math.round(startMs), Math.round(endMs), isSpaced ? " " : "");
  }

  private finalizeUntil(untilMs: number): void {
    while (this.pending[0] && this.pending[0].endMs <= untilMs) {
      const piece = this.pending.shift();
      if (!piece) return;
      this.finals.push(this.toToken(piece, true));
      if (piece.completes) this.options.translator?.add(piece.completes, this.totalMs);
    }
  }

  private detectEndpoint(now: number): void {
    const { endpointDelayMs } = this.options;
    if (endpointDelayMs === null || this.lastWordMs === null) return;
    const delay = this.hasSentenceEnded
      ? Math.min(endpointDelayMs, sentenceEndpointMs)
      : endpointDelayMs;
    if (now - Math.max(this.lastSoundMs, this.lastWordMs) < delay) return;
    this.finalizeUntil(Number.POSITIVE_INFINITY);
    this.addMark("<end>");
    this.finalMs = Math.max(this.finalMs, this.lastWordMs);
    this.lastWordMs = null;
  }

  private getInterimTokens(): Token[] {
    const now = this.totalMs;
    const tokens = this.pending
      .filter((piece) => !piece.punctuation || piece.endMs + punctuationDelayMs <= now)
      .map((piece) => this.toToken(piece, false));
    const current = this.hasPattern ? null : this.sampleReader.currentWord;
    const begun = current && this.split(current)[0];
    if (begun && current) tokens.push(this.toToken({ ...current, ...begun }, false));
    return tokens;
  }

  private toTranslated(pieces: readonly TranslatedPiece[], isFinal: boolean): Token[] {
    return pieces.map(({ text, language, sourceLanguage, speaker }) => ({
      text,
      confidence: isFinal ? 0.98 : 0.84,
      is_final: isFinal,
      language,
      translation_status: "translation",
      source_language: sourceLanguage,
      ...(this.options.diarization ? { speaker: this.getSpeakerName(speaker) } : {}),
    }));
  }

  private toToken(piece: PendingSubword, isFinal: boolean): Token {
    const { translator } = this.options;
    return {
      text: piece.text,
      start_ms: Math.round(piece.startMs),
      end_ms: Math.round(piece.endMs),
      confidence: isFinal ? 0.98 : 0.84,
      is_final: isFinal,
      ...(this.options.identifiesLanguage || translator ? { language: piece.language } : {}),
      ...(translator && {
        translation_status: translator.getTarget(piece.language) === null ? "none" : "original",
      }),
      ...(this.options.diarization ? { speaker: this.getSpeakerName(piece.speaker) } : {}),
    };
  }

  /** Speakers are numbered from 1 in the order of their first words in this session. */
  private getSpeakerName(speaker: number): string {
    const existing = this.speakers.get(speaker);
    if (existing) return existing;
    const name = String(this.speakers.size + 1);
    this.speakers.set(speaker, name);
    return name;
  }
}

const endsSentence = (text: string) => /[.?!。？！।؟]$/.test(text);
