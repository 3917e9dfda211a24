import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { addRowTimes, readLectureText } from "#server/lectures/lecture-text.ts";
import { type LectureKey, proposeTitle } from "#server/lectures/queries.ts";
import { readMarkedSentences } from "#server/marks/marked-sentences.ts";
import type { ModelUse, RateLimiter } from "#server/ports.ts";
import { readSummaryInstructions } from "#server/profiles/router.ts";
import { notifyShare } from "#server/sharing/queries.ts";
import { readSlideWords } from "#server/slides/queries.ts";
import { guestProcedure, router, userProcedure } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { formatMarks, type MarkedSentence } from "#shared/format-marks.ts";
import { type SpokenLanguage, targetLanguages } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  contextTextMaxLength,
  generatedContextMaxLength,
  lectureNameMaxLength,
  summaryTextMaxLength,
} from "#shared/limits.ts";
import { createTermsBlock } from "#shared/prompt-data.ts";
import { type SummaryTemplate, summaryTemplates } from "#shared/summary-template.ts";
import { listSummaryLanguages } from "#shared/translation-pairs.ts";
import { findLectureTerms } from "./agreed-terms.ts";
import { countFlashcardCharacters, flashcardsInput, writeFlashcards } from "./flashcards.ts";
import { findFormulas, formulasInput } from "./formulas/find-formulas.ts";
import { keepNotes } from "./kept-notes.ts";
import { createContextPrompt, parseDescription } from "./lecture-context.ts";
import { findMeaning, lookUpInput } from "./meaning.ts";
import { isIpv6Range, spendModelBudget } from "./model-budget.ts";
import { recapInput, startRecap } from "./recap.ts";
import { rowsInput, translateRows } from "./rows.ts";
import { marksMaxLength, summarise } from "./summarize-lecture.ts";
import type { SummaryStyle } from "./summary-styles.ts";
import { proposeTerms, proposeTermsInput } from "./terms.ts";
import { spokenIn, spokenText } from "./texts.ts";
import { getOutputTokens } from "./tokens.ts";
import { translateInput, translateSentence } from "./translation.ts";

/** A user's lecture is read from the database. */
export const lectureContextInput = z.object({ lectureId: uuid });
/** A guest has no stored lecture and sends its beginning. */
const contextInput = z.union([
  lectureContextInput,
  z.object({ text: spokenText.check(z.maxLength(contextTextMaxLength)), spokenIn }),
]);

const summarizeInput = z.object({
  lectureId: uuid,
  targetLanguage: z.enum(targetLanguages),
  /** Pages of the version before send none. */
  template: z._default(z.enum(summaryTemplates), "lecture"),
});

/** Characters of a lecture's context and title as JSON. */
const descriptionLength = generatedContextMaxLength + lectureNameMaxLength + 40;
const estimatedSummaryLength = 10_000;
/** A lecture that is summarised in parts sends notes as well: this share of its text. */
const notesShare = 1 / 2;
/** Characters of the marks that are sent at most. */
const countCharacters = (marks: readonly MarkedSentence[]) =>
  formatMarks(marks, marksMaxLength).length;

export const aiRouter = router({
  /**
   * Where the caller takes a stream, it answers when the model begins, with the translation to follow: the page's limit
   * counts from there.
   */
  translate: guestProcedure.input(translateInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.translations);
    const begun = Promise.withResolvers<void>();
    const onRun = () => begun.resolve();
    const translatedText = translateSentence(ctx.llm, { ...input, spend, signal, onRun });
    if (!ctx.takesStream) return { translatedText: await translatedText };
    await Promise.race([begun.promise, translatedText]);
    return { translatedText };
  }),

  /** What words mean in their sentence, and how they are translated there. */
  lookUp: guestProcedure.input(lookUpInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.translations);
    return findMeaning(ctx.llm, { ...input, spend, signal });
  }),

  /** The formulas that a sentence says, each with its words. Nothing is stored. */
  formulas: guestProcedure.input(formulasInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.translations);
    return findFormulas(ctx.llm, { ...input, spend, signal });
  }),

  /** Translates consecutive rows of a lecture together; rows without a valid translation are missing in the answer. */
  translateRows: userProcedure.input(rowsInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.translations);
    return translateRows(ctx.llm, { ...input, spend, signal });
  }),

  /**
   * Describes a lecture in a few words, from its beginning, and proposes a title. A user's lecture takes it over
   * while its title is only a date; `title` is null if it does not.
   */
  context: guestProcedure.input(contextInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.contexts);
    const { text, spokenIn } = await readContextSource(ctx, input);
    const prompt = createContextPrompt(text, spokenIn);
    await spend(prompt.user.length + descriptionLength);
    const maxTokens = getOutputTokens(prompt, descriptionLength, ctx.llm);
    const answer = await ctx.llm.complete({
      ...prompt,
      maxTokens,
      strings: ["title", "context"],
      signal,
    });
    const { context, title } = parseDescription(answer);
    if (title === null || !("lectureId" in input) || !ctx.session) return { context, title };
    const key = { userId: ctx.session.user.id, id: input.lectureId };
    const stored = await proposeTitle(ctx.db, key, { title, now: ctx.clock.now() });
    notifyShare(ctx, stored?.shareId, { rows: null });
    return { context, title: stored ? title : null };
  }),

  /** Terms of a piece of a file's text. A person takes or leaves them: nothing is stored. */
  proposeTerms: userProcedure.input(proposeTermsInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.contexts);
    return proposeTerms(ctx.llm, { ...input, spend, signal });
  }),

  /** Streams a question and an answer for each item that has something to ask for. Nothing is stored. */
  flashcards: userProcedure.input(flashcardsInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.contexts);
    await spend(countFlashcardCharacters(input));
    return writeFlashcards(ctx.llm, input, signal);
  }),

  /**
   * Streams a recap of rows that the page sends, because those of a recording are not all stored yet. If an error follows
   * the first statements, those that ended are valid.
   */
  recap: guestProcedure.input(recapInput).mutation(async ({ ctx, input, signal }) => {
    const spend = await limitRate(ctx, ctx.limits.translations);
    return startRecap(ctx.llm, { ...input, spend, signal });
  }),

  /**
   * Streams the summary of a stored lecture as pieces of Markdown: in the target language, in both if both are spoken, or
   * in what is spoken if nothing is translated. By any template but the lecture's it cites the times of rows, as
   * `[12:34]`. If an error follows the first pieces, there is no summary.
   */
  summarize: userProcedure.input(summarizeInput).mutation(async ({ ctx, input, signal }) => {
    const { lectureId: id, targetLanguage, template } = input;
    const spend = await limitRate(ctx, ctx.limits.summaries);
    const key = { userId: ctx.user.id, id };
    const [stored, style] = await Promise.all([
      readSummarySource(ctx.db, key, template),
      readSummaryStyle(ctx.db, key.userId, template),
    ]);
    const { text, times, spokenIn } = stored;
    const [marks, slides] = await Promise.all([
      readMarkedSentences(ctx.db, key),
      readSlideWords(ctx.db, key),
    ]);
    const languages = listSummaryLanguages({ ...stored, targetLanguage }, spokenIn);
    const owner = { userId: ctx.user.id, lectureId: id };
    const terms = await findLectureTerms(ctx.db, owner, stored, languages);
    const kept = keepNotes(ctx.db, key, () => ctx.clock.now());
    const task = { text, times, spokenIn, style, marks, slides, terms, languages, kept };
    const sentLength =
      Math.ceil(text.length * (1 + notesShare)) +
      countCharacters(marks) +
      slides.length +
      createTermsBlock(terms).length;
    await spend(sentLength + languages.length * estimatedSummaryLength);
    return writeSummary(ctx.llm, { ...task, signal });
  }),
});

/** The notes on a lecture's parts are kept until its summary is complete. */
async function* writeSummary(
  llm: Context["llm"],
  task: Parameters<typeof summarise>[1] & { kept: ReturnType<typeof keepNotes> },
): AsyncGenerator<string> {
  yield* summarise(llm, task);
  await task.kept.clear();
}

/**
 * Counts a call for the user, or for a guest's network address, because guests can get any number of tickets. The
 * calls that a minute allows are in wrangler.toml; see `Limits`.
 *
 * @returns what counts the call's characters of the model's budget
 * @throws AppError `rate_limited`
 */
async function limitRate(ctx: Context, limiter: RateLimiter): Promise<ModelUse["spend"]> {
  const { session, addressKey, networkKey, limits } = ctx;
  // On a developer's machine all guests share one key.
  const key = session ? `user:${session.user.id}` : (addressKey ?? "address:loopback");
  const range = !session && networkKey && isIpv6Range(networkKey) ? networkKey : null;
  const isAllowed =
    (await limiter.allow(key)) && (range === null || (await limits.guestNetworks.allow(range)));
  if (!isAllowed) throw new AppError("rate_limited", { retryAfterSeconds: 60 });
  return (characters) => spendModelBudget(ctx, characters);
}

/** @throws AppError `sign_in_required` for a guest with a lecture's id, `validation_failed` for a user's own text */
async function readContextSource(
  { db, session }: Context,
  input: z.infer<typeof contextInput>,
): Promise<{ text: string; spokenIn: SpokenLanguage }> {
  if ("text" in input) {
    if (session) throw new AppError("validation_failed", { detail: "a text without a lecture" });
    return input;
  }
  if (!session) throw new AppError("sign_in_required");
  const key = { userId: session.user.id, id: input.lectureId };
  const { text, spokenIn } = await readStoredText(db, key, { maxLength: contextTextMaxLength });
  return { text: text.slice(0, contextTextMaxLength), spokenIn };
}

/** @throws AppError `not_found`, `validation_failed` for a lecture without words */
async function readStoredText(...call: Parameters<typeof readLectureText>) {
  const stored = await readLectureText(...call);
  if (stored === null) throw new AppError("not_found");
  const text = stored.text.trim();
  if (text === "") throw new AppError("validation_failed", { detail: "a lecture without words" });
  return { ...stored, text };
}

/**
 * The text that a summary is written from, with the times of its rows for a template that cites them.
 *
 * @throws AppError as `readStoredText`, `payload_too_large`
 */
async function readSummarySource(db: Database, key: LectureKey, template: SummaryTemplate) {
  const hasTimes = template !== "lecture";
  const stored = await readStoredText(db, key, {
    maxLength: summaryTextMaxLength,
    hasRows: hasTimes,
  });
  if (stored.text.length > summaryTextMaxLength) throw new AppError("payload_too_large");
  const timed = addRowTimes(stored.rows);
  const times = hasTimes ? (timed?.times ?? new Set<number>()) : null;
  return { ...stored, text: timed?.text ?? stored.text, times };
}

/** @throws AppError `validation_failed` for the person's own template without instructions */
async function readSummaryStyle(
  db: Database,
  userId: string,
  template: SummaryTemplate,
): Promise<SummaryStyle> {
  if (template !== "own") return { template };
  const instructions = await readSummaryInstructions(db, userId);
  if (instructions === "") throw new AppError("validation_failed", { detail: "no instructions" });
  return { template, instructions };
}
