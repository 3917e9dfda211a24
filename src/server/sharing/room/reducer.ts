import type { LanguagePair } from "#shared/languages.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import { getDeltaAt, notePending, sendDelta, sendRests } from "./deltas.ts";
import type { RowRange, ShareEffect, ShareEvent, Source } from "./events.ts";
import { holdLanguage } from "./languages.ts";
import { onProbeAnswered, removeReaders } from "./outgoing.ts";
import {
  addReader,
  chooseLanguage,
  closeExcessReaders,
  closeReaders,
  settleReaders,
} from "./readers.ts";
import type { ShareState, StepContext } from "./state.ts";
import {
  acceptCompletion,
  acceptRows,
  acceptSpeech,
  getEndAt,
  getLostAt,
  setRecording,
  updateLiveLine,
} from "./status.ts";
import { getShownTranslation, mergeRows, noteTranslation, restoreTranslations } from "./text.ts";
import { onTranslated, onTranslationFailed, startTranslations } from "./translating.ts";

/** With readers, the share is read again this often: a notification may be lost, or the plan may end. */
const recheckMs = 300_000;
/** Without readers, the share is read this often, so that its object deletes itself within a day after its end. */
const checkMs = 20 * 3_600_000;
const readBackoff: Backoff = { firstMs: 500, maxMs: 30_000 };
const endRetryMs = 60_000;

/**
 * The reducer of a share's object: maps a state and an event to the next state and an ordered list of side effects.
 * Pure: `now` is ms since the epoch, `state` is not changed. Sockets, storage, timers, the database and the model are
 * in `src/worker/durable/share-room.ts`.
 */
export function step(
  state: ShareState,
  event: ShareEvent,
  now: number,
): { state: ShareState; effects: ShareEffect[] } {
  const pendingTexts = [...state.pendingTexts].map(
    ([language, positions]) => [language, new Set(positions)] as const,
  );
  const pending = { pendingRows: new Set(state.pendingRows), pendingTexts: new Map(pendingTexts) };
  const ctx: StepContext = { room: { ...state, ...pending }, effects: [], now };
  if (ctx.room.hasEnded) refuse(ctx, event);
  else {
    handleEvent(ctx, event);
    meetDeadlines(ctx);
    setTimers(ctx);
  }
  return { state: ctx.room, effects: ctx.effects };
}

function refuse(ctx: StepContext, event: ShareEvent): void {
  if (event.type !== "joined") return;
  addReader(ctx, event);
  closeReaders(ctx, [event.readerId], "ended");
}

function handleEvent(ctx: StepContext, event: ShareEvent): void {
  const { room } = ctx;
  switch (event.type) {
    case "joined":
      addReader(ctx, event);
      break;
    case "left":
      removeReaders(ctx, [event.readerId]);
      break;
    case "languageChosen":
      chooseLanguage(ctx, event.readerId, event.language);
      break;
    case "probeAnswered":
      if (!onProbeAnswered(ctx, event.readerId, event.probe))
        closeReaders(ctx, [event.readerId], "invalid");
      break;
    case "invalidMessage":
      closeReaders(ctx, [event.readerId], "invalid");
      break;
    case "changed":
      if (event.isCompleted) acceptCompletion(ctx);
      // An object without readers reads no rows: the first reader gets everything.
      if (room.isLoaded || room.isReading) requestRead(ctx, event.rows);
      else if (event.isCompleted) requestRead(ctx, null);
      break;
    case "read":
      onRead(ctx, event);
      break;
    case "readFailed":
      room.isReading = false;
      onReadFailed(ctx, event.range);
      break;
    case "translationsRead":
      if (event.texts === null) onReadFailed(ctx, null);
      else {
        restoreTranslations(ctx, event.language, event.texts);
        startTranslations(ctx);
      }
      break;
    case "spoken":
      acceptSpeech(ctx, event);
      break;
    case "translated":
      onTranslated(ctx, event.jobId, event.text);
      break;
    case "translationFailed":
      onTranslationFailed(ctx, event.jobId, event.code);
      break;
    case "ended":
      end(ctx);
      break;
    case "endFailed":
      room.isEnding = false;
      room.endRetryAt = ctx.now + endRetryMs;
      break;
    case "timer":
      room.timerAt = null;
      break;
    case "alarm":
      room.alarmAt = null;
      if (room.source === null || ctx.now >= room.readAt + checkMs) requestRead(ctx, null);
      break;
    default:
      event satisfies never;
  }
  const isUsed = room.readers.size > 0 || event.type === "spoken";
  if (isUsed && !room.isLoaded && !room.isReading && room.readAgainAt === null && !room.hasEnded)
    requestRead(ctx, wholeText);
}

const wholeText: RowRange = { from: 0, to: null };

/** Reads the share, and the rows in `range`. One read at a time, so that later answers are newer. */
function requestRead(ctx: StepContext, range: RowRange | null): void {
  const { room } = ctx;
  const needed = !room.isLoaded && range !== null ? wholeText : range;
  if (room.isReading || room.readAgainAt !== null) {
    room.unread = { range: joinRanges(room.unread?.range ?? null, needed) };
    return;
  }
  room.isReading = true;
  ctx.effects.push({ type: "read", range: needed });
}

function joinRanges(one: RowRange | null, other: RowRange | null): RowRange | null {
  if (one === null || other === null) return one ?? other;
  const to = one.to === null || other.to === null ? null : Math.max(one.to, other.to);
  return { from: Math.min(one.from, other.from), to };
}

function onReadFailed(ctx: StepContext, range: RowRange | null): void {
  const { room, now } = ctx;
  room.unread = { range: joinRanges(room.unread?.range ?? null, range) };
  room.readAgainAt = now + getBackoffMs(readBackoff, room.readFailures);
  room.readFailures += 1;
}

function onRead(
  ctx: StepContext,
  { source, rows, range }: Extract<ShareEvent, { type: "read" }>,
): void {
  const { room, now } = ctx;
  room.isReading = false;
  room.readFailures = 0;
  room.readAt = now;
  if (source === null) {
    end(ctx);
    return;
  }
  applySource(ctx, source);
  const count = room.rows.size;
  mergeRows(ctx, rows);
  if (range !== null && !room.isLoaded) {
    room.isLoaded = true;
    const { lectureId, userId } = source;
    ctx.effects.push({ type: "followRecording", recordingId: lectureId, userId });
    for (const { language } of room.readers.values()) holdLanguage(ctx, language, true);
  } else if (room.rows.size > count) acceptRows(ctx);
  updateLiveLine(room);
  startTranslations(ctx);
  readUnread(ctx);
}

function readUnread(ctx: StepContext): void {
  const { room } = ctx;
  if (room.unread === null) return;
  const { range } = room.unread;
  room.unread = null;
  requestRead(ctx, range);
}

function applySource(ctx: StepContext, source: Source): void {
  const { room } = ctx;
  const before = { ...room };
  room.source = source;
  closeExcessReaders(ctx);
  if (before.source === null || isSamePair(before.source, source)) return;
  // Old rows name no language: theirs is the lecture's.
  for (const [language, state] of room.languages) {
    if (!state.isRead) continue;
    for (const row of room.rows.values())
      noteTranslation(ctx, language, state, row, getShownTranslation(before, row, language, state));
  }
}

const isSamePair = (one: LanguagePair, other: LanguagePair): boolean =>
  one.sourceLanguage === other.sourceLanguage &&
  one.targetLanguage === other.targetLanguage &&
  one.isTwoWay === other.isTwoWay;

/** Tells all readers, and forgets everything. */
function end(ctx: StepContext): void {
  const { room } = ctx;
  closeReaders(ctx, [...room.readers.keys()], "ended");
  room.hasEnded = true;
  room.rows = new Map();
  room.languages = new Map();
  room.jobs = new Map();
  ctx.effects.push({ type: "abortTranslations" });
  ctx.effects.push({ type: "forget", recordingId: room.source?.lectureId ?? null });
}

function meetDeadlines(ctx: StepContext): void {
  const { room, now } = ctx;
  const isDue = (at: number | null) => at !== null && at <= now;
  if (room.hasEnded) return;
  if (isDue(getLostAt(room))) setRecording(ctx, "lost", room.recording?.byRoom ?? false);
  if (isDue(getEndAt(room)) && !room.isEnding) {
    room.isEnding = true;
    ctx.effects.push({ type: "endShare" });
  }
  if (isDue(room.readAgainAt)) {
    room.readAgainAt = null;
    readUnread(ctx);
    for (const [language, { isRead }] of room.languages)
      if (!isRead) ctx.effects.push({ type: "readTranslations", language });
  }
  if (isDue(getRecheckAt(room))) requestRead(ctx, null);
  if (isDue(room.translationDueAt)) startTranslations(ctx);
  // Nobody gets the text of a share that ends.
  if (room.isEnding) return;
  settleReaders(ctx);
  notePending(ctx);
  if (isDue(getDeltaAt(ctx))) {
    sendDelta(ctx);
    settleReaders(ctx);
    notePending(ctx);
  }
  sendRests(ctx);
}

/** Null while a read is under way, or waits after a failure: it would be due at once, again and again. */
function getRecheckAt(room: ShareState): number | null {
  const isNeeded = room.source !== null && room.readers.size > 0;
  return isNeeded && !room.isReading && room.readAgainAt === null ? room.readAt + recheckMs : null;
}

/** A timer for what happens soon, and an alarm for what must happen although the object was evicted. */
function setTimers(ctx: StepContext): void {
  const { room, now } = ctx;
  if (room.hasEnded) return;
  const timerAt = earliest([getDeltaAt(ctx), room.readAgainAt, room.translationDueAt], now);
  if (timerAt !== room.timerAt) ctx.effects.push({ type: "setTimer", at: timerAt });
  room.timerAt = timerAt;
  const endAt = room.isEnding ? null : getEndAt(room);
  const dueAt = earliest([endAt, getLostAt(room), getRecheckAt(room)], now);
  const alarmAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, now + checkMs);
  // A later deadline keeps the alarm: it finds that nothing is due, and sets the next one.
  if (room.alarmAt !== null && room.alarmAt > now && room.alarmAt <= alarmAt) return;
  room.alarmAt = alarmAt;
  ctx.effects.push({ type: "setAlarm", at: alarmAt });
}

/** The earliest of `times`, a whole millisecond after `now`. */
function earliest(times: readonly (number | null)[], now: number): number | null {
  const due = times.filter((at) => at !== null);
  return due.length === 0 ? null : Math.max(Math.ceil(Math.min(...due)), Math.floor(now) + 1);
}
