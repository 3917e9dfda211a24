import { acceptMark, addMark, addSent, countBytes, fitsUnread, isMarkDue } from "#server/unread.ts";
import type { ShareServerMessage } from "#shared/share.ts";
import { shareUnreadCode } from "#shared/site.ts";
import { noteUnreadLanguages } from "./languages.ts";
import type { Reader, StepContext } from "./state.ts";

interface Frame {
  text: string;
  bytes: number;
}

/** Messages are the same for many readers. */
const frames = new WeakMap<ShareServerMessage, Frame>();

export function toFrame(message: ShareServerMessage): Frame {
  let frame = frames.get(message);
  if (frame === undefined) {
    const text = JSON.stringify(message);
    frame = { text, bytes: countBytes(text) };
    frames.set(message, frame);
  }
  return frame;
}

/** Sends `message` to those of the readers that have read enough of what came before, and closes the others. */
export function send(
  ctx: StepContext,
  readerIds: readonly string[],
  message: ShareServerMessage,
): void {
  const { bytes } = toFrame(message);
  const readers = new Map(ctx.room.readers);
  const ready: string[] = [];
  const behind: string[] = [];
  const markedReaders: Reader[] = [];
  for (const id of readerIds) {
    const reader = readers.get(id);
    if (!reader) continue;
    if (!fitsUnread(reader.unread, bytes)) {
      behind.push(id);
      continue;
    }
    ready.push(id);
    const sent = { ...reader, unread: addSent(reader.unread, bytes) };
    if (isMarkDue(sent.unread)) markedReaders.push(sent);
    readers.set(id, sent);
  }
  ctx.room.readers = readers;
  if (ready.length > 0) ctx.effects.push({ type: "send", readerIds: ready, message });
  for (const reader of markedReaders) sendMark(ctx, reader);
  if (behind.length === 0) return;
  ctx.effects.push({ type: "close", readerIds: behind, code: shareUnreadCode });
  removeReaders(ctx, behind);
}

/** For a reader that does not answer marks, what was sent is only stored. */
function sendMark(ctx: StepContext, reader: Reader): void {
  const { unread, mark } = addMark(reader.unread, reader.id);
  if (reader.answersMarks)
    ctx.effects.push({ type: "send", readerIds: [reader.id], message: { type: "mark", mark } });
  setReader(ctx, { ...reader, unread });
}

/** Returns false for a mark that the reader was not sent, or has sent back before. */
export function onMarkReturned(ctx: StepContext, id: string, mark: string): boolean {
  const reader = ctx.room.readers.get(id);
  if (!reader) return true;
  // The id is never sent to the reader.
  const unread = acceptMark(reader.unread, id, mark);
  if (unread === null) return false;
  setReader(ctx, { ...reader, unread });
  return true;
}

export function setReader(ctx: StepContext, reader: Reader): void {
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
