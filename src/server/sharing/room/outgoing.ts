import {
  acceptProbe,
  addProbe,
  addSent,
  countBytes,
  fitsUnread,
  isProbeDue,
} from "#server/unread.ts";
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
  const probedReaders: Reader[] = [];
  for (const id of readerIds) {
    const reader = readers.get(id);
    if (!reader) continue;
    if (!fitsUnread(reader.unread, bytes)) {
      behind.push(id);
      continue;
    }
    ready.push(id);
    const sent = { ...reader, unread: addSent(reader.unread, bytes) };
    if (isProbeDue(sent.unread)) probedReaders.push(sent);
    readers.set(id, sent);
  }
  ctx.room.readers = readers;
  if (ready.length > 0) ctx.effects.push({ type: "send", readerIds: ready, message });
  for (const reader of probedReaders) sendProbe(ctx, reader);
  if (behind.length === 0) return;
  ctx.effects.push({ type: "close", readerIds: behind, code: shareUnreadCode });
  removeReaders(ctx, behind);
}

/** For a reader that does not answer probes, what was sent is only stored. */
function sendProbe(ctx: StepContext, reader: Reader): void {
  const { unread, probe } = addProbe(reader.unread, reader.id);
  if (reader.answersProbes)
    ctx.effects.push({ type: "send", readerIds: [reader.id], message: { type: "probe", probe } });
  setReader(ctx, { ...reader, unread });
}

/** Returns false for a probe that the reader was not sent, or has sent back before. */
export function onProbeAnswered(ctx: StepContext, id: string, probe: string): boolean {
  const reader = ctx.room.readers.get(id);
  if (!reader) return true;
  // The id is never sent to the reader.
  const unread = acceptProbe(reader.unread, id, probe);
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
