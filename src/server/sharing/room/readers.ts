import { createBucket, takeToken } from "#server/recording/room/client-budget.ts";
import { createUnread, restoreUnread } from "#server/unread.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { type ShareEnd, shareClosedCode } from "#shared/share.ts";
import { hasPendingItems, sendLanguage, sendMissed, sendSnapshot } from "./deltas.ts";
import type { ShareEvent } from "./events.ts";
import { holdLanguage, noteUnreadLanguages } from "./languages.ts";
import { removeReaders, setReader } from "./outgoing.ts";
import type { Reader, ShareState, StepContext } from "./state.ts";
import type { ReaderState } from "./stored.ts";

/** Choices of a language: each sends the whole lecture's translations. */
const choiceLimit = { capacity: 6, perSecond: 0.1 };

/** A reader that has just connected. */
export const createReaderState = ({
  readerId: id,
  language: wanted,
  since,
  answersProbes,
}: Omit<Extract<ShareEvent, { type: "joined" }>, "type">): ReaderState => ({
  id,
  isAdmitted: false,
  language: "none",
  wanted,
  since,
  answersProbes,
  unread: createUnread(),
  rows: null,
  translations: null,
});

/** A reader whose socket was kept over hibernation. */
export const restoreReader = (reader: ReaderState, now: number): Reader => ({
  ...reader,
  unread: restoreUnread(reader.unread),
  choices: createBucket(choiceLimit, now),
});

export function addReader(ctx: StepContext, event: Extract<ShareEvent, { type: "joined" }>): void {
  const choices = createBucket(choiceLimit, ctx.now);
  setReader(ctx, { ...createReaderState(event), choices });
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
  ctx.effects.push({ type: "send", readerIds, message: { type: "closed", reason } });
  ctx.effects.push({ type: "close", readerIds, code: shareClosedCode });
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
