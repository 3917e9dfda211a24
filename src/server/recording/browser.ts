import type { ErrorCode } from "../../shared/errors.ts";
import { chunkSamples, relayRoomWindow } from "../../shared/limits.ts";
import { type RelayConfig, relayClose } from "../../shared/relay.ts";
import { isExhausted, tellTimer, tellWhenLow } from "./allowance.ts";
import type { RoomGrant } from "./events.ts";
import { beginFinalize } from "./finalization.ts";
import { take } from "./intake.ts";
import { closeSession, feed, openSession } from "./provider-session.ts";
import { chunkLengthMs, endOf, rebase, startOf } from "./recording-clock.ts";
import {
  abandonAfterMs,
  log,
  persist,
  type StreamSettings,
  seat,
  send,
  type Work,
} from "./state.ts";
import {
  beginSegment,
  charge,
  closeSegment,
  flush,
  flushIfMuch,
  isAheadOfLedger,
} from "./usage.ts";

const bytesPerSample = 2;
const chunkBytes = chunkSamples * bytesPerSample;
/** More cannot have been accepted between two times that the room was kept. */
const forgottenMaxMs = 120_000;

/** A newer socket takes the place of the one before. */
export function connect(work: Work, socketId: string, grant: RoomGrant): void {
  const { room } = work;
  if (room.browser) {
    const reason = "Another page continued this recording.";
    send(work, { type: "disconnected", code: relayClose.replaced, reason });
    leave(work, { code: relayClose.replaced, reason });
  }
  seat(room, socketId, grant, work.now, false);
  log(work, "browser_connected", { guest: grant.user === null });
  send(work, { type: "ready" });
}

/** Begins, or begins again, at the first chunk that the browser still holds. */
export function configure(work: Work, config: RelayConfig): void {
  const { room } = work;
  const { browser } = room;
  if (!browser) return;
  const { resumeFrom, sampleRate } = config;
  const previous = room.clock.at(-1)?.sampleRate;
  const next = firstSeqOf(work, config);
  const settings: StreamSettings = {
    sampleRate,
    diarization: config.diarization ?? true,
    binary: config.audio === "binary",
    context: config.context ?? "",
    resumes: resumeFrom !== undefined || config.version !== undefined,
  };
  room.browser = { ...browser, settings, cold: false };
  closeSession(work);
  room.finalize = null;
  room.clock = rebase(room.clock, next, sampleRate);
  const keeps = !settings.resumes && previous === sampleRate && room.backlog.length > 0;
  if (!keeps) {
    room.backlog = [];
    room.ackedSeq = next - 1;
    room.deliveredMs = 0;
  }
  room.deliveredMs = config.finalMs ?? room.deliveredMs;
  room.finalMs = room.deliveredMs;
  room.totalMs = Math.max(room.finalMs, endOf(room.clock, room.ackedSeq));
  room.expectedSeq = next;
  room.lastAudioAt = work.now;
  const lost = resumeFrom === undefined ? 0 : next - room.highSeq - 1;
  const wasOpen = room.usage.segments.at(-1)?.closed === false;
  beginSegment(work);
  // What the browser no longer holds was accepted before the room lost its memory.
  if (room.restored && wasOpen && lost > 0)
    charge(work, Math.min(forgottenMaxMs, lost * chunkLengthMs(sampleRate)));
  room.restored = false;
  room.highSeq = Math.max(room.highSeq, next - 1);
  send(work, {
    type: "config_acknowledged",
    audio: settings.binary ? "binary" : "base64",
    nextSeq: next,
  });
  if (isExhausted(room)) {
    endAllowance(work);
    return;
  }
  tellTimer(work);
  persist(work);
  flush(work);
  openSession(work);
}

/** Where the browser goes on: where it says, or behind everything that was recorded or read before. */
function firstSeqOf({ room }: Work, { resumeFrom, finalMs, sampleRate }: RelayConfig): number {
  const behind = room.highSeq + 1;
  if (resumeFrom !== undefined) {
    // A guest's page keeps nothing over a reload: from the beginning again means a new stretch.
    const afresh = room.owner === null && resumeFrom < behind - relayRoomWindow;
    return afresh ? behind : resumeFrom;
  }
  const startMs = startOf(rebase(room.clock, behind, sampleRate), behind);
  const ahead = Math.ceil(((finalMs ?? 0) - startMs) / chunkLengthMs(sampleRate));
  return behind + Math.max(0, ahead);
}

/** Takes one chunk: once, in order, and only so far ahead of the provider as memory allows. */
export function hear(work: Work, sequence: number | null, pcm: Uint8Array, binary: boolean): void {
  const { room, now } = work;
  const { browser } = room;
  if (!browser) return;
  const { settings } = browser;
  if (!settings) {
    if (browser.cold) restart(work);
    else complain(work, "validation_failed", "Send config before audio.");
    return;
  }
  if (binary && !settings.binary) {
    complain(work, "validation_failed", "Binary audio was not asked for in config.");
    return;
  }
  if (pcm.byteLength > chunkBytes) {
    complain(work, "validation_failed", `A chunk holds ${chunkSamples} samples at most.`);
    return;
  }
  if (room.usage.ending) return;
  const seq = sequence ?? room.expectedSeq;
  if (seq < room.expectedSeq) return;
  if (seq > room.expectedSeq) {
    log(work, "audio_gap", { expected: room.expectedSeq, received: seq }, "warn");
    refuse(work, {
      code: "conflict",
      message: `Chunk ${room.expectedSeq} is missing.`,
      retryable: true,
      close: relayClose.restart,
    });
    return;
  }
  if (room.backlog.length >= relayRoomWindow) {
    refuse(work, {
      code: "rate_limited",
      message: "Audio comes faster than it can be transcribed.",
      retryable: true,
      close: relayClose.policy,
    });
    return;
  }
  const chunk = { seq, pcm: padded(pcm) };
  const lengthMs = chunkLengthMs(settings.sampleRate);
  const { highSeq, salt } = room;
  const taken = take(room.intake, { ...chunk, highSeq, lengthMs, salt }, now);
  const isNew = taken.verdict === "new";
  if (taken.verdict === "early" || (isNew && isAheadOfLedger(room, now))) {
    refuse(work, {
      code: "rate_limited",
      message: "Audio comes faster than it can be spoken.",
      retryable: true,
      close: relayClose.policy,
    });
    return;
  }
  room.intake = taken.intake;
  room.backlog = [...room.backlog, chunk];
  room.expectedSeq = seq + 1;
  room.lastAudioAt = now;
  // Charged first: what is kept at a period's turn must not say that a chunk was accepted and not count it.
  if (isNew) charge(work, lengthMs);
  room.highSeq = Math.max(highSeq, seq);
  if (isNew) tellWhenLow(work);
  if (room.provider.kind === "open") feed(work);
  else if (room.provider.kind === "none") openSession(work);
  if (isExhausted(room)) endAllowance(work);
  else flushIfMuch(work);
}

export function finalizeForBrowser(work: Work): void {
  const { browser } = work.room;
  if (!browser) return;
  if (browser.settings) beginFinalize(work, { tellBrowser: true, after: "stay" });
  else if (browser.cold) restart(work);
  else complain(work, "validation_failed", "Send config before finalize.");
}

/** No more audio is taken; the last words are still delivered. */
export function endAllowance(work: Work): void {
  const { room } = work;
  if (room.usage.ending) return;
  room.usage = { ...room.usage, ending: true };
  log(work, "allowance_exhausted");
  if (beginFinalize(work, { tellBrowser: false, after: "end" })) dismiss(work);
}

/** Tells the browser that its allowance has run out, when the last words are out. */
export function dismiss(work: Work): void {
  const isGuest = work.room.owner === null;
  closeSegment(work);
  refuse(work, {
    code: isGuest ? "guest_allowance_exhausted" : "allowance_exhausted",
    message: isGuest
      ? "Today's recording time for guests is used up."
      : "The recording time of this plan is used up.",
    retryable: false,
    close: relayClose.policy,
  });
}

/** The browser's socket is gone. A clean close ends the segment; after any other it may come back. */
export function onGone(work: Work, code: number): void {
  if (code === relayClose.normal) closeSegment(work);
  leave(work, null);
}

interface Refusal {
  code: ErrorCode;
  message: string;
  retryable: boolean;
  close: number;
}

/** Says why, then closes the socket. */
export function refuse(work: Work, { close, ...error }: Refusal): void {
  complain(work, error.code, error.message, error.retryable);
  log(work, "browser_refused", { code: error.code, close });
  leave(work, { code: close, reason: error.message });
}

export function complain(work: Work, code: ErrorCode, message: string, retryable = false): void {
  send(work, { type: "error", code, message, retryable });
}

/** A socket that outlived the room's memory: only the browser knows what must be sent again. */
function restart(work: Work): void {
  leave(work, { code: relayClose.restart, reason: "The room has restarted." });
}

/** Empties the browser's place; `close` is null when the socket is closed already. */
export function leave(work: Work, close: { code: number; reason: string } | null): void {
  const { room, now } = work;
  const { browser } = room;
  if (!browser) return;
  if (close) work.effects.push({ type: "closeBrowser", socketId: browser.socketId, ...close });
  closeSession(work);
  room.browser = null;
  room.finalize = null;
  // A client that resends nothing gets its words from here when it comes back.
  if (browser.settings?.resumes !== false) {
    room.backlog = [];
    room.ackedSeq = room.expectedSeq - 1;
  }
  if (room.usage.segments.at(-1)?.closed === false) room.abandonAt = now + abandonAfterMs;
  if (browser.settings) {
    persist(work);
    flush(work);
  }
  log(work, "browser_left", { code: close?.code ?? null });
}

/** A short last chunk is filled up with silence, so that the clock stays `seq` × chunk length. */
function padded(pcm: Uint8Array): Uint8Array {
  if (pcm.byteLength === chunkBytes) return pcm;
  const whole = new Uint8Array(chunkBytes);
  whole.set(pcm);
  return whole;
}
