import { defaultSourceLanguage, type SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import type { SharedLiveLine, ShareStatus } from "#shared/share.ts";
import type { SharedSpeech } from "./events.ts";
import { persist, type ShareState, type StepContext, type Word } from "./state.ts";

/** A share that lasts while recording survives a break or an outage of this length. */
const breakMs = 1_200_000;
/** The same share, before anything was recorded. */
const beforeRecordingMs = 86_400_000;
/** Without a word of the recording's room for this long, it seems to be gone. */
const silenceMs = 6 * 3_600_000;
/** The same for a recording whose words come only as rows, because the owner's browser recognises them. */
const rowSilenceMs = 60_000;
/** Characters of final words that wait for their rows. */
export const liveMaxLength = 4_000;

export function getStatus({ recording, source }: ShareState): ShareStatus {
  if (recording?.state === "live") return "live";
  if (source?.isCompleted && recording?.state !== "lost") return "finished";
  return recording?.state === "stopped" ? "paused" : "waiting";
}

/** When the state of the recording is no longer believed, ms since the epoch. */
export function getLostAt({ recording, reportedAt }: ShareState): number | null {
  if (recording?.state !== "live") return null;
  return reportedAt + (recording.byRoom ? silenceMs : rowSilenceMs);
}

/** When a share that lasts only while recording ends, ms since the epoch. */
export function getEndAt({
  source,
  recording,
  wasCompleted,
  endRetryAt,
}: ShareState): number | null {
  if (source?.mode !== "while_recording" || recording?.state === "live") return null;
  const { createdAt, recordedAt } = source;
  const stoppedAt = recording?.since ?? recordedAt;
  if (wasCompleted) return Math.max(endRetryAt, stoppedAt ?? 0);
  return Math.max(
    endRetryAt,
    stoppedAt === null ? createdAt + beforeRecordingMs : stoppedAt + breakMs,
  );
}

/** Words and state that the recording's room forwards. */
export function acceptSpeech(ctx: StepContext, speech: SharedSpeech): void {
  const { room, now } = ctx;
  setRecording(ctx, speech.recording, true);
  room.reportedAt = now;
  if (speech.isWhole) {
    room.finals = [];
    room.finalMs = 0;
  }
  const finals = speech.finals.map(toWord(room)).filter((word) => getMiddle(word) >= room.finalMs);
  room.finalMs = Math.max(room.finalMs, ...finals.map(({ endMs }) => endMs));
  room.finals = keepNewest([...room.finals, ...finals]);
  room.interim = speech.recording === "live" ? speech.interim.map(toWord(room)) : [];
  updateLiveLine(room);
}

export function setRecording(
  ctx: StepContext,
  state: SharedSpeech["recording"],
  byRoom: boolean,
): void {
  const { room, now } = ctx;
  if (room.recording?.state === state && room.recording.byRoom === byRoom) return;
  room.recording = { state, since: now, byRoom };
  if (state === "live") room.wasCompleted = false;
  persist(ctx);
}

/**
 * The owner's page has saved new rows. Where they are not the last ones of a room, they show that something is recorded
 * without it.
 */
export function acceptRows(ctx: StepContext): void {
  const { recording } = ctx.room;
  const isHeard = recording?.state === "live" || ctx.now < (recording?.since ?? 0) + rowSilenceMs;
  if (recording?.byRoom && isHeard) return;
  setRecording(ctx, "live", false);
  ctx.room.reportedAt = ctx.now;
}

/** The owner has saved the lecture. Only a room that hears its recording says later that it has stopped. */
export function acceptCompletion(ctx: StepContext): void {
  const { recording } = ctx.room;
  ctx.room.wasCompleted = true;
  if (recording && !(recording.byRoom && recording.state === "live"))
    setRecording(ctx, "stopped", recording.byRoom);
}

/** Shows the words after the last row. An unchanged line keeps its identity. */
export function updateLiveLine(room: ShareState): void {
  const isLater = (word: Word) => getMiddle(word) >= room.rowsEndMs;
  room.finals = room.finals.filter(isLater);
  const interim = room.interim.filter(isLater);
  const finalText = joinText(room.finals).trimStart();
  const interimText = finalText === "" ? joinText(interim).trimStart() : joinText(interim);
  const [first] = [...room.finals, ...interim];
  const last = room.finals.at(-1) ?? first;
  const live: SharedLiveLine | null =
    finalText === "" && interimText.trim() === ""
      ? null
      : {
          finalText,
          interimText,
          spokenIn: last?.language ?? getSpokenLanguage(room),
          speaker: last?.speaker ?? null,
          startMs: Math.max(0, first?.startMs ?? room.rowsEndMs),
        };
  if (JSON.stringify(live) !== JSON.stringify(room.live)) room.live = live;
}

/** The language of words that do not say theirs: the lecture's, or that of its last row. */
function getSpokenLanguage({ source, rows }: ShareState): SpokenLanguage {
  const chosen = source?.sourceLanguage ?? defaultSourceLanguage;
  if (chosen !== "detect") return chosen;
  return rows.get(rows.size - 1)?.spokenIn ?? defaultSourceLanguage;
}

/** Drops the oldest words of a text that gets no rows. */
export function keepNewest<T extends { text: string }>(words: readonly T[]): readonly T[] {
  let length = words.reduce((sum, { text }) => sum + text.length, 0);
  let dropped = 0;
  while (length > liveMaxLength) {
    length -= words[dropped]?.text.length ?? 0;
    dropped += 1;
  }
  return dropped === 0 ? words : words.slice(dropped);
}

/** A word without times follows the last one. */
const toWord =
  ({ finalMs }: ShareState) =>
  ({ text, speaker, language, start_ms = finalMs, end_ms = start_ms }: RelayToken): Word => ({
    text,
    speaker: speaker ?? null,
    language: language ?? null,
    startMs: start_ms,
    endMs: end_ms,
  });

const getMiddle = ({ startMs, endMs }: Word): number => (startMs + endMs) / 2;

const joinText = (words: readonly Word[]): string => words.map(({ text }) => text).join("");
