import type { ErrorCode } from "#shared/errors.ts";
import { chunkSamples, relayRoomWindow } from "#shared/limits.ts";
import { type RelayConfig, relayClose } from "#shared/relay.ts";
import { isExhausted, tellTimer, tellWhenLow } from "./allowance.ts";
import { take } from "./audio-intake.ts";
import {
  type ClientBudget,
  configLimit,
  errorAnswerMs,
  errorLimit,
  frameLimit,
  isOffence,
  offenceMs,
  resentChunksMax,
} from "./client-budget.ts";
import type { Arrival } from "./events.ts";
import { beginFinalize } from "./finalize.ts";
import { charge, closeSegment, flush, flushIfMuch, isAheadOfLedger } from "./metering.ts";
import { closeSession, feed, openSession, skipTo } from "./provider-session.ts";
import { isBudgetSpent, paidUntil } from "./session-budget.ts";
import {
  log,
  persist,
  type RoomState,
  type StreamSettings,
  seat,
  send,
  type Work,
} from "./state.ts";
import {
  chunkLengthMs,
  endOf,
  offsetOf,
  type Placement,
  place,
  startOf,
  toPosition,
  toSeq,
} from "./take-placement.ts";
import { takeToken } from "./token-bucket.ts";

const bytesPerSample = 2;
const chunkBytes = chunkSamples * bytesPerSample;
/**
 * Gives the room's place to a new socket: where it is free, where the same tab had it, where a person
 * wants it, and where the client names no tab. Any other is turned away, so that a tab that comes back
 * by itself never ends a recording that went on elsewhere.
 */
export function connect(work: Work, { takesOver, ...arrival }: Arrival): void {
  const { room, now } = work;
  const { socketId, tab, grant } = arrival;
  const reason = "Another page continued this recording.";
  const disconnected = { type: "disconnected", code: relayClose.replaced, reason } as const;
  if (room.browser) {
    if (tab !== null && tab !== room.browser.tab && !takesOver) {
      work.effects.push(
        { type: "send", socketId, message: disconnected },
        { type: "closeBrowser", socketId, code: relayClose.replaced, reason },
      );
      log(work, "browser_turned_away");
      return;
    }
    send(work, disconnected);
    leave(work, { code: relayClose.replaced, reason });
  }
  seat(room, { ...arrival, connectedAt: now, cold: false }, now);
  log(work, "browser_connected", { guest: grant.user === null });
  send(work, { type: "ready" });
}

/** Begins, or begins again, at the first chunk that the browser still holds. */
export function configure(work: Work, config: RelayConfig): void {
  const { room, now } = work;
  const { browser } = room;
  if (!browser) return;
  const configs = takeToken(browser.budget.configs, configLimit, now);
  if (!configs) {
    refuseConfig(work);
    return;
  }
  const { sampleRate } = config;
  const before = room.placement;
  const { placement, next, forgottenMs } = place({ ...room, isGuest: room.owner === null }, config);
  const settings: StreamSettings = {
    sampleRate,
    diarization: config.diarization ?? true,
    binary: config.audio === "binary",
    context: config.context ?? "",
    resumes: config.resumeFrom !== undefined || config.version !== undefined,
  };
  const isSame = browser.settings !== null && isSameStream(browser.settings, settings);
  if (isSame && placement === before && next > room.ackedSeq && next <= room.expectedSeq) {
    room.browser = { ...browser, budget: { ...browser.budget, configs } };
    acknowledgeConfig(work, settings, placement, next);
    return;
  }
  const keepsSession = isSame && isContinuous(room, placement, next);
  if (!keepsSession && browser.settings !== null && isBudgetSpent(room.sessionTimes, now)) {
    refuseConfig(work);
    return;
  }
  room.browser = { ...browser, settings, cold: false, budget: { ...browser.budget, configs } };
  const keepsBacklog =
    !settings.resumes && before?.sampleRate === sampleRate && room.backlog.length > 0;
  room.placement = placement;
  room.finalize = null;
  if (!keepsBacklog) {
    room.backlog = [];
    room.ackedSeq = next - 1;
    room.deliveredMs = 0;
  }
  room.deliveredMs = heldToMs(placement, config) ?? room.deliveredMs;
  if (keepsSession) skipTo(work, room.deliveredMs);
  else closeSession(work);
  room.finalMs = room.deliveredMs;
  room.totalMs = Math.max(room.finalMs, endOf(placement, room.ackedSeq));
  room.expectedSeq = next;
  room.settledSeq = -1;
  const wasOpen = room.usage.segments.at(-1)?.closed === false;
  if (wasOpen && forgottenMs > 0) charge(work, forgottenMs);
  room.highSeq = Math.max(room.highSeq, next - 1);
  acknowledgeConfig(work, settings, placement, next);
  if (isExhausted(room)) {
    endAllowance(work);
    return;
  }
  tellTimer(work);
  persist(work);
  // Only what a client left that resends nothing needs a session before there is sound.
  if (room.backlog.length > 0) openSession(work);
}

function acknowledgeConfig(
  work: Work,
  { binary }: StreamSettings,
  placement: Placement,
  next: number,
): void {
  const { take } = placement;
  const answer = { type: "config_acknowledged", audio: binary ? "binary" : "base64" } as const;
  if (take === null) send(work, { ...answer, nextSeq: next });
  else {
    const nextSeq = toSeq(placement, next);
    send(work, { ...answer, take, offsetMs: offsetOf(placement), nextSeq });
  }
}

/** Up to where the client holds the words of what it sends, ms on the lecture's clock; null: it does not say. */
function heldToMs(placement: Placement, { take, heldMs = 0, finalMs }: RelayConfig): number | null {
  if (take === undefined) return finalMs ?? null;
  return Math.max(0, offsetOf(placement) + heldMs);
}

/** True when everything before was answered and `next` follows it at once: the provider hears no seam. */
function isContinuous(room: RoomState, placement: Placement, next: number): boolean {
  return (
    room.backlog.length === 0 &&
    room.finalize === null &&
    next === room.expectedSeq &&
    startOf(placement, next) === startOf(room.placement, next)
  );
}

function refuseConfig(work: Work): void {
  refuse(work, {
    code: "rate_limited",
    message: "config comes too often.",
    retryable: true,
    close: relayClose.policy,
  });
}

function isSameStream(a: StreamSettings, b: StreamSettings): boolean {
  return (
    a.sampleRate === b.sampleRate &&
    a.diarization === b.diarization &&
    a.binary === b.binary &&
    a.context === b.context &&
    a.resumes === b.resumes
  );
}

/** Takes one chunk: once, in order, and only so far ahead of the provider as memory allows. */
export function hear(work: Work, sequence: number | null, pcm: Uint8Array, binary: boolean): void {
  const { room, now } = work;
  const { browser } = room;
  if (!browser) return;
  const { settings } = browser;
  if (!settings) {
    if (browser.cold) restart(work);
    else reject(work, "Send config before audio.");
    return;
  }
  if (binary && !settings.binary) {
    reject(work, "Binary audio was not asked for in config.");
    return;
  }
  if (pcm.byteLength > chunkBytes) {
    reject(work, `A chunk holds ${chunkSamples} samples at most.`);
    return;
  }
  if (room.usage.ending) return;
  const { placement } = room;
  const isNumbered = sequence !== null && placement !== null;
  const seq = isNumbered ? toPosition(placement, sequence) : room.expectedSeq;
  if (seq < room.expectedSeq) return;
  if (seq > room.expectedSeq) {
    const expected = placement === null ? room.expectedSeq : toSeq(placement, room.expectedSeq);
    log(work, "audio_gap", { expected, received: sequence }, "warn");
    refuse(work, {
      code: "conflict",
      message: `Chunk ${expected} is missing.`,
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
  const mayRepeat = browser.budget.resentChunks < resentChunksMax;
  const taken = take(room.intake, { ...chunk, highSeq, lengthMs, salt, mayRepeat }, now);
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
  room.browser = { ...browser, budget: afterChunk(browser.budget, isNew) };
  // Charged first: what is kept at a period's turn must not say that a chunk was accepted and not count it.
  if (isNew) {
    charge(work, lengthMs);
    // Until then the segment of the life before stays open, whose written total may be ahead of it.
    room.restored = false;
    room.paidUntil = paidUntil(room.paidUntil, lengthMs, now);
  }
  room.highSeq = Math.max(highSeq, seq);
  if (isNew) tellWhenLow(work);
  if (room.provider.kind === "open") feed(work);
  else if (room.provider.kind === "none") openSession(work);
  if (isExhausted(room)) endAllowance(work);
  else flushIfMuch(work);
}

/** New sound costs no frame: how much may come is the intake's rule. */
function afterChunk(budget: ClientBudget, isNew: boolean): ClientBudget {
  if (!isNew) return { ...budget, resentChunks: budget.resentChunks + 1 };
  const tokens = Math.min(frameLimit.capacity, budget.frames.tokens + 1);
  return { ...budget, frames: { ...budget.frames, tokens } };
}

export function finalizeForBrowser(work: Work): void {
  const { browser } = work.room;
  if (!browser) return;
  if (browser.settings) beginFinalize(work, { tellBrowser: true, after: "stay" });
  else if (browser.cold) restart(work);
  else reject(work, "Send config before finalize.");
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
  if (isOffence(error.code)) work.room.refusesUntil = work.now + offenceMs;
  complain(work, error.code, error.message, error.retryable);
  log(work, "browser_refused", { code: error.code, close });
  leave(work, { code: close, reason: error.message });
}

function complain(work: Work, code: ErrorCode, message: string, retryable: boolean): void {
  send(work, { type: "error", code, message, retryable });
}

/** Says what is wrong with a frame: not to each of many, and not for ever. */
export function reject(work: Work, message: string): void {
  const { room, now } = work;
  const { browser } = room;
  if (!browser) return;
  const { budget } = browser;
  const errors = takeToken(budget.errors, errorLimit, now);
  if (!errors) {
    refuse(work, {
      code: "validation_failed",
      message: "Too many frames that make no sense.",
      retryable: false,
      close: relayClose.policy,
    });
    return;
  }
  const isQuiet = budget.answeredAt !== null && now - budget.answeredAt < errorAnswerMs;
  const answeredAt = isQuiet ? budget.answeredAt : now;
  room.browser = { ...browser, budget: { ...budget, errors, answeredAt } };
  if (!isQuiet) complain(work, "validation_failed", message, false);
}

/** A socket that outlived the room's memory: only the browser knows what must be sent again. */
function restart(work: Work): void {
  leave(work, { code: relayClose.restart, reason: "The room has restarted." });
}

/** Empties the browser's place; `close` is null when the socket is closed already. */
export function leave(work: Work, close: { code: number; reason: string } | null): void {
  const { room } = work;
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
