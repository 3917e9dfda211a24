import { createBucket, takeToken } from "#server/recording/room/client-budget.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import type { ShareEnd } from "#shared/share.ts";
import { hasPendingItems, sendLanguage, sendMissed, sendSnapshot } from "./deltas.ts";
import type { ShareEvent } from "./events.ts";
import { holdLanguage, noteUnreadLanguages } from "./languages.ts";
import { type Reader, type ShareState, type StepContext, send } from "./state.ts";
import type { ReaderState } from "./stored.ts";

/** Choices of a language: each sends the whole lecture's translations. */
const choiceLimit = { capacity: 6, perSecond: 0.1 };

export const createReader = (reader: ReaderState, now: number): Reader => ({
  ...reader,
  choices: createBucket(choiceLimit, now),
});

export function addReader(
  ctx: StepContext,
  { readerId: id, language, since }: Extract<ShareEvent, { type: "joined" }>,
): void {
  const reader = { id, isAdmitted: false, language: "none", wanted: language, since } as const;
  setReader(ctx, createReader(reader, ctx.now));
}

export function chooseLanguage(ctx: StepContext, id: string, language: TargetLanguage): void {
  const reader = ctx.room.readers.get(id);
  if (!reader) return;
  const choices = takeToken(reader.choices, ctx.now);
  // A reader that has asked for what it missed has it in another language.
  if (choices) setReader(ctx, { ...reader, choices, wanted: language, since: null });
  else closeReaders(ctx, [id], "rate_limited");
}

/** Closes readers for good. */
export function closeReaders(
  ctx: StepContext,
  readerIds: readonly string[],
  reason: ShareEnd,
): void {
  if (readerIds.length === 0) return;
  send(ctx, readerIds, { type: "closed", reason });
  ctx.effects.push({ type: "close", readerIds });
  removeReaders(ctx, readerIds);
}

/** After the owner's plan has changed: the readers that came last lose their places. */
export function closeExcessReaders(ctx: StepContext): void {
  const { readers, source } = ctx.room;
  const admitted = [...readers.values()].filter(({ isAdmitted }) => isAdmitted);
  const excess = admitted.slice(source?.readersMax ?? 0);
  closeReaders(
    ctx,
    excess.map(({ id }) => id),
    "full",
  );
}

/**
 * Gives readers what they wait for: a snapshot, or the language that they have chosen. All readers have the same
 * changes, so they wait while some are pending, until the next delta.
 */
export function settleReaders(ctx: StepContext): void {
  const { room } = ctx;
  if (room.sent === null) return;
  for (const { id, wanted } of room.readers.values()) {
    if (hasPendingItems(room)) return;
    if (wanted !== null) settle(ctx, id);
  }
}

function settle(ctx: StepContext, id: string): void {
  const { room } = ctx;
  const reader = room.readers.get(id);
  if (!reader || reader.wanted === null) return;
  if (!reader.isAdmitted && countAdmitted(room) >= (room.source?.readersMax ?? 0)) {
    closeReaders(ctx, [id], "full");
    return;
  }
  const use = holdLanguage(ctx, reader.wanted);
  if (use === "reading") return;
  const isRefused = use === "refused";
  const language = isRefused ? reader.language : reader.wanted;
  const settled = { ...reader, isAdmitted: true, language, wanted: null, since: null };
  setReader(ctx, settled);
  const { since } = reader;
  if (reader.isAdmitted) sendLanguage(ctx, settled, isRefused);
  else if (since?.epoch === room.epoch && since.seq <= room.seq && !isRefused)
    sendMissed(ctx, settled, since.seq);
  else sendSnapshot(ctx, settled, isRefused);
  noteUnreadLanguages(ctx);
}

const countAdmitted = ({ readers }: ShareState): number => {
  let count = 0;
  for (const { isAdmitted } of readers.values()) if (isAdmitted) count += 1;
  return count;
};

function setReader(ctx: StepContext, reader: Reader): void {
  ctx.room.readers = new Map(ctx.room.readers).set(reader.id, reader);
  const { choices: _, ...kept } = reader;
  ctx.effects.push({ type: "attach", reader: kept });
}

export function removeReaders(ctx: StepContext, ids: readonly string[]): void {
  const readers = new Map(ctx.room.readers);
  for (const id of ids) readers.delete(id);
  ctx.room.readers = readers;
  noteUnreadLanguages(ctx);
}
