import { TranscriptWriter } from "#client/lecture/rows/transcript-writer.ts";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { SummaryField } from "#client/lecture/summary-field.ts";
import { callServer, toApiError } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { withTimeouts } from "#client/state/server-api.ts";
import { createLanguageCalls } from "#client/translation/language-calls.ts";
import type { LanguagePair, TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { ModelSite } from "./model-site.ts";

/** A page as far as it needs the language model: its own code, with the procedures of a site on this machine. */

export type ModelPage = ReturnType<typeof openModelPage>;

interface PageRequest {
  text: string;
  startedAt: number;
  endedAt: number | null;
  outcome: "running" | "answered" | "failed" | "aborted";
}

const log = { warn() {} };

/** The calls of the page, with its limits, where the site's model is the only engine. */
export function openModelPage({ trpc }: ModelSite) {
  const requests: PageRequest[] = [];
  const calls = {
    // As `state/server-api.ts`, which needs a browser.
    async translate({ onQueue, ...input }, signal) {
      const request: PageRequest = {
        text: input.text,
        startedAt: performance.now(),
        endedAt: null,
        outcome: "running",
      };
      requests.push(request);
      try {
        onQueue?.(true);
        const call = trpc.ai.translate.mutate(
          input as Parameters<typeof trpc.ai.translate.mutate>[0],
          { signal },
        );
        const translated = await callServer(
          async () => (await call.finally(() => onQueue?.(false))).translatedText,
        );
        request.outcome = "answered";
        return translated;
      } catch (error) {
        request.outcome = signal.aborted ? "aborted" : "failed";
        throw error;
      } finally {
        request.endedAt = performance.now();
      }
    },
    async *summarize({ lectureId, template, languages: { targetLanguage } }, signal) {
      try {
        yield* await trpc.ai.summarize.mutate({ lectureId, targetLanguage, template }, { signal });
      } catch (failure) {
        throw toApiError(failure);
      }
    },
  } satisfies Partial<SessionApi> as unknown as SessionApi;
  const server = withTimeouts(calls, browserClock);
  const languageCalls = createLanguageCalls({
    server,
    clock: browserClock,
    log,
    summarizer: undefined,
    browser: undefined,
    device: {
      name: "device",
      getState: () => "unavailable",
      translate: () => Promise.reject(new Error("no model on this device")),
    },
    listEngines: async () => ["service"],
  });
  const api: SessionApi = { ...server, ...languageCalls };
  return { api, requests };
}

/** A transcript whose rows are translated from English. */
export const openTranscript = ({ api }: ModelPage, targetLanguage: TranslationLanguage) =>
  new TranscriptWriter(
    {
      clock: browserClock,
      newId: () => crypto.randomUUID(),
      log,
      translate: api.translate,
      wordContext: () => "",
      onRowChange() {},
      onFailed() {},
    },
    { rows: [], finalMs: 0, languages: toPair(targetLanguage) },
  );

export interface SummaryOutcome {
  /** What the page says at the end. */
  notice: string;
  text: string;
}

/** Presses "Generate summary" for a stored lecture in English, once. */
export async function writeSummary(
  { api }: ModelPage,
  { lectureId, original, into }: { lectureId: string; original: string; into: TargetLanguage },
): Promise<SummaryOutcome> {
  let notice = "";
  const field = new SummaryField(
    {
      api,
      identity: "user",
      lectureId,
      original: () => original,
      spokenIn: () => ["en"],
      markedSentences: () => [],
      saveLecture: async () => {},
      log,
      notify(one) {
        notice = one.kind;
      },
      onSave() {},
      saveOnce: async () => {},
    },
    "",
  );
  await field.generate(toPair(into), "lecture");
  return { notice, text: field.view.get().text };
}

const toPair = (targetLanguage: TargetLanguage): LanguagePair => ({
  sourceLanguage: "en",
  targetLanguage,
  isTwoWay: false,
});
