import { previousContext } from "#shared/context.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { isSameLanguage, type TranslationLanguage } from "#shared/languages.ts";
import { type Backoff, getBackoffMs, translateTextMaxLength } from "#shared/limits.ts";
import type { Language, Row, ShareState, StepContext } from "./state.ts";
import { getOwnersLanguage, getShownTranslation, noteTranslation } from "./text.ts";

/** Translations of one share at once: ten languages need about two sentences a second. */
const concurrency = 8;
/** The owner's page translates into the owner's language; after this time it seems to be closed. */
const ownerWaitMs = 60_000;
const rateLimitPauseMs = 15_000;
/** Recording increases the budget, so it is asked again before the day is over. */
const budgetPauseMs = 600_000;
const backoff: Backoff = { firstMs: 1_000, maxMs: 15_000 };

/** Requests missing translations into the languages that are read, the newest sentences first. */
export function startTranslations(ctx: StepContext): void {
  const { room, now } = ctx;
  room.translationDueAt = null;
  const languages = [...room.languages].filter(
    ([, { isRead, unreadSince }]) => isRead && unreadSince === null,
  );
  if (!room.isLoaded || languages.length === 0) return;
  if (now < room.translateAt) {
    room.translationDueAt = room.translateAt;
    return;
  }
  const running = new Set([...room.jobs.values()].map(({ language, key }) => `${language} ${key}`));
  for (const row of [...room.rows.values()].reverse()) {
    for (const [language, state] of languages) {
      if (running.size >= concurrency) return;
      if (running.has(`${language} ${row.key}`)) continue;
      const dueAt = getDueAt(room, row, language, state);
      if (dueAt === null) continue;
      if (dueAt > now) {
        room.translationDueAt = Math.min(dueAt, room.translationDueAt ?? dueAt);
        continue;
      }
      running.add(`${language} ${row.key}`);
      startJob(ctx, row, language);
    }
  }
}

/** When the row may be translated for readers, ms since the epoch; null if it needs no translation. */
function getDueAt(
  room: ShareState,
  row: Row,
  language: TranslationLanguage,
  state: Language,
): number | null {
  if (row.original.trim() === "" || isSameLanguage(row.spokenIn, language)) return null;
  if (getShownTranslation(room, row, language, state) !== null) return null;
  const isOwners =
    language === getOwnersLanguage(room, row) &&
    row.translated === "" &&
    (row.translatedInto === null || row.translatedInto === language);
  const retryAt = state.failures.get(row.key)?.retryAt ?? 0;
  return isOwners ? Math.max(retryAt, row.knownAt + ownerWaitMs) : retryAt;
}

function startJob(ctx: StepContext, row: Row, language: TranslationLanguage): void {
  const { room } = ctx;
  if (room.source === null) return;
  room.lastJobId += 1;
  room.jobs = new Map(room.jobs).set(room.lastJobId, { language, key: row.key });
  ctx.effects.push({
    type: "translate",
    jobId: room.lastJobId,
    userId: room.source.userId,
    sourceLanguage: row.spokenIn,
    language,
    sentence: { startMs: row.startMs, original: row.original },
    context: previousContext((at) => room.rows.get(at)?.original, row.position),
    wordContext: room.source.context,
  });
}

/** The text that is sent to the model, as the owner's page shortens it. */
export const toTranslatedText = (original: string): string =>
  original.slice(0, translateTextMaxLength);

export function onTranslated(ctx: StepContext, jobId: number, text: string): void {
  const job = takeJob(ctx, jobId);
  if (!job) return;
  // It may have been requested before the pause.
  if (ctx.now >= ctx.room.translateAt) ctx.room.isTranslationPaused = false;
  changeLanguage(ctx, job, ({ texts, failures, ...state }) => ({
    ...state,
    texts: new Map(texts).set(job.key, text),
    failures: without(failures, job.key),
  }));
  startTranslations(ctx);
}

export function onTranslationFailed(ctx: StepContext, jobId: number, code: ErrorCode): void {
  const { room, now } = ctx;
  const job = takeJob(ctx, jobId);
  if (!job) return;
  if (code === "model_budget_exhausted" || code === "site_budget_exhausted") {
    room.isTranslationPaused = true;
    room.translateAt = now + budgetPauseMs;
  } else if (code === "rate_limited") {
    room.translateAt = now + rateLimitPauseMs;
  } else {
    changeLanguage(ctx, job, (state) => {
      const count = (state.failures.get(job.key)?.count ?? 0) + 1;
      const retryAt = now + getBackoffMs(backoff, count - 1, 0);
      return { ...state, failures: new Map(state.failures).set(job.key, { count, retryAt }) };
    });
  }
  startTranslations(ctx);
}

function takeJob({ room }: StepContext, jobId: number) {
  const job = room.jobs.get(jobId);
  room.jobs = without(room.jobs, jobId);
  return job;
}

/** Changes what is known of the sentence in the job's language, and notes its translation where it differs. */
function changeLanguage(
  ctx: StepContext,
  { language, key }: { language: TranslationLanguage; key: string },
  change: (state: Language) => Language,
): void {
  const { room } = ctx;
  const before = room.languages.get(language);
  if (!before) return;
  const after = change(before);
  room.languages = new Map(room.languages).set(language, after);
  for (const row of room.rows.values())
    if (row.key === key)
      noteTranslation(ctx, language, after, row, getShownTranslation(room, row, language, before));
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map;
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
