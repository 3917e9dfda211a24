import { isSameChoice } from "#shared/choose-terms.ts";
import type { SpeechTerm } from "#shared/relay.ts";
import { closeWithError, rejectFrame, requestReconnect } from "./client.ts";
import { takeToken } from "./client-budget.ts";
import { openSession } from "./provider-session.ts";
import { hasSpareSession } from "./provider-session-budget.ts";
import { log, type OpenSession, type RoomState, type StepContext, send } from "./state.ts";

/**
 * Terms that change during a recording. Some services take them in an open stream; for the others a new session follows, at
 * the end of a sentence and seldom.
 */

/** A session is replaced for other terms after this time, and for the first ones after a shorter one, ms. */
const replaceAfterMs = 2 * 60_000;
const replaceFirstAfterMs = 10_000;

/** The client's message `terms`. */
export function changeTerms(ctx: StepContext, terms: readonly SpeechTerm[]): void {
  const { room, now } = ctx;
  const { client } = room;
  if (!client) return;
  const bucket = takeToken(client.budget.terms, now);
  if (!bucket) {
    closeWithError(ctx, "rate_limited", "terms come too often.", { retryable: true });
    return;
  }
  if (!client.settings) {
    if (client.restored) requestReconnect(ctx);
    else rejectFrame(ctx, "Send config before terms.");
    return;
  }
  const hints = { ...client.hints, terms };
  room.client = { ...client, hints, budget: { ...client.budget, terms: bucket } };
  tellTerms(ctx);
}

/** Tells the open session the client's terms, if it can learn them, or has heard no word yet. */
export function tellTerms(ctx: StepContext): void {
  const { room } = ctx;
  const session = room.provider;
  const terms = room.client?.hints.terms;
  if (session.kind !== "open" || terms === undefined || !needsTerms(room, session)) return;
  if (session.canChangeTerms) {
    ctx.effects.push({ type: "changeTerms", sessionId: session.id, terms });
    room.provider = { ...session, terms };
  } else if (!session.hasInterim && session.lastWordMs === session.startMs) {
    if (session.terms.length === 0 && canReplace(ctx)) openSession(ctx);
  }
}

/** The speaker has paused: opens a session with other terms, if that is due. */
export function replaceForTerms(ctx: StepContext): void {
  const { room, now } = ctx;
  const session = room.provider;
  if (session.kind !== "open" || session.hasInterim || !needsTerms(room, session)) return;
  const waitMs = session.terms.length === 0 ? replaceFirstAfterMs : replaceAfterMs;
  if (session.canChangeTerms || now - session.openedAt < waitMs || !canReplace(ctx)) return;
  log(ctx, "provider_replaced_for_terms", { session: session.id });
  openSession(ctx);
}

/** The service has refused to change the terms of the session. */
export function onTermsRefused(ctx: StepContext, session: OpenSession, detail: string): void {
  log(ctx, "provider_terms_refused", { session: session.id, detail }, "warn");
  ctx.room.provider = { ...session, canChangeTerms: false, terms: [] };
}

const needsTerms = ({ client }: RoomState, session: OpenSession): boolean =>
  client !== null && !client.areHintsRefused && !isSameChoice(session.terms, client.hints.terms);

/** Sessions are left for failures, sound is arriving, and nobody waits for the last words. */
const canReplace = ({ room, now }: StepContext): boolean =>
  room.finalize === null &&
  room.failures === 0 &&
  room.activeUntil > now &&
  hasSpareSession(room.sessionTimes, now);

/**
 * The service has refused a session at its start. What it was told about the lecture may be the reason, or that it was to
 * translate: once for each, another one is opened without that. False: that is not possible.
 */
export function retryWithLess(ctx: StepContext, detail: string): boolean {
  const { provider } = ctx.room;
  const isAtStart =
    provider.kind === "opening" ||
    (provider.kind === "open" && provider.processedMs === provider.startMs);
  if (!isAtStart) return false;
  const tries = [retryWithoutHints, retryWithoutTranslation];
  if (/translat|target_language/i.test(detail)) tries.reverse();
  return tries.some((retry) => retry(ctx));
}

function retryWithoutTranslation(ctx: StepContext): boolean {
  const { client } = ctx.room;
  if (!client?.settings?.translation || client.isTranslationRefused) return false;
  ctx.room.client = { ...client, isTranslationRefused: true };
  log(ctx, "provider_translation_refused", { mode: client.settings.translation.type }, "warn");
  send(ctx, { type: "translation_refused" });
  openSession(ctx);
  return true;
}

function retryWithoutHints(ctx: StepContext): boolean {
  const { client } = ctx.room;
  if (!client?.settings || client.areHintsRefused) return false;
  const { topic, terms } = client.hints;
  if (topic === "" && terms.length === 0 && client.settings.context === "") return false;
  ctx.room.client = { ...client, areHintsRefused: true };
  log(ctx, "provider_hints_refused", { terms: terms.length }, "warn");
  openSession(ctx);
  return true;
}
