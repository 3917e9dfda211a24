import { hasKeyterms, listKeyterms, toDeepgramUrl } from "./deepgram-address.ts";
import {
  createFinalizedMark,
  isFinalizedMark,
  isStreamBeginning,
  parseConfigureAnswer,
  parseDeepgramMessage,
  parseRefusal,
  parseStreamEnd,
} from "./deepgram-messages.ts";
import {
  attachSocket,
  type OpenSpeechSession,
  parseJson,
  requestSocket,
  type SpeechSettings,
} from "./speech-session.ts";

/**
 * The live transcription of Deepgram, and of self-hosted servers that speak its protocol.
 *
 * Source: https://developers.deepgram.com/reference/speech-to-text/listen-streaming
 */

type DeepgramSettings = Extract<SpeechSettings, { service: "Deepgram" }>;

/** Time for the answer to a `Finalize`. */
const finalizeAnswerMs = 1_500;

/**
 * Addresses of servers that answered a `Finalize` with an error, or began a stream, as WhisperLiveKit does: they get
 * `CloseStream` alone, as do those whose settings say so (`hasFinalize`), and nothing is expected of them in silence.
 */
const serversWithoutFinalize = new Set<string>();

/** Addresses of servers that refused a `Configure`, or closed a stream in place of an answer. */
const serversWithoutConfigure = new Set<string>();

/**
 * A refusal is reported as an error message before this throws.
 *
 * Deepgram does not answer a `Finalize` that finds little audio. Only the end of a stream proves that all
 * its words have arrived, so `CloseStream` follows a `Finalize` without an answer; the room opens another
 * stream when there is audio again.
 */
export const openDeepgramSession: OpenSpeechSession<DeepgramSettings> = async (
  settings,
  start,
  handlers,
  signal,
) => {
  const { apiKey, url } = settings;
  const hasFinalize = () => settings.hasFinalize && !serversWithoutFinalize.has(url);
  const authorization = apiKey === "" ? null : `Token ${apiKey}`;
  const response = await requestSocket(toDeepgramUrl(settings, start), authorization, signal);
  if (!response.webSocket) {
    const refusal = parseJson((await response.text()).slice(0, 2_000));
    handlers.message(parseRefusal(response.status, refusal));
    throw new Error(`The speech service answered ${response.status}`);
  }
  let processedMs = 0;
  let hasInterim = false;
  let unansweredFinalizes = 0;
  let isEnding = false;
  let isBeginning = true;
  let finalizeTimer: ReturnType<typeof setTimeout> | undefined;
  let unansweredConfigures = 0;

  /** All words of the audio before `CloseStream` have arrived. `isCounted`: the server says how much that was. */
  const onStreamEnd = (heardMs: number, isCounted: boolean) => {
    for (; unansweredFinalizes > 0; unansweredFinalizes -= 1)
      handlers.message({
        type: "progress",
        tokens: [createFinalizedMark()],
        finalMs: heardMs,
        processedMs: heardMs,
        ...(isCounted && { heardMs }),
      });
  };
  const { send, close } = attachSocket(response.webSocket, {
    message(body) {
      const configured = unansweredConfigures > 0 ? parseConfigureAnswer(body) : null;
      if (configured !== null) {
        unansweredConfigures -= 1;
        if (configured.isRefused) {
          serversWithoutConfigure.add(settings.url);
          handlers.message({ type: "termsRefused", detail: configured.detail });
        }
        return;
      }
      // Deepgram counts no sound at the end of a stream without any.
      if (isBeginning && !isEnding && isStreamBeginning(body)) serversWithoutFinalize.add(url);
      isBeginning = false;
      const heardMs = isEnding ? parseStreamEnd(body) : null;
      if (heardMs !== null) onStreamEnd(heardMs, true);
      const message = parseDeepgramMessage(body, start.languages[0]);
      if (message === null) return;
      if (message.type === "progress") {
        processedMs = Math.max(processedMs, message.processedMs);
        hasInterim = message.tokens.some((token) => !token.isFinal);
        if (message.tokens.some(isFinalizedMark)) {
          unansweredFinalizes = Math.max(0, unansweredFinalizes - 1);
          if (unansweredFinalizes === 0) clearTimeout(finalizeTimer);
        }
      } else if (unansweredFinalizes > 0 && !isEnding) serversWithoutFinalize.add(url);
      handlers.message(message);
    },
    closed(code) {
      clearTimeout(finalizeTimer);
      if (unansweredConfigures > 0 && !isEnding) serversWithoutConfigure.add(settings.url);
      // A stream without audio ends without, and so do those of WhisperLiveKit before August 2026.
      if (isEnding && code === 1000 && !hasInterim) onStreamEnd(processedMs, false);
      handlers.closed(code);
    },
  });
  const endStream = () => {
    clearTimeout(finalizeTimer);
    if (!isEnding) send(JSON.stringify({ type: "CloseStream" }));
    isEnding = true;
  };
  return {
    answersSilence: hasFinalize(),
    // What is sent after `CloseStream` is lost; the room keeps it for the next stream.
    sendAudio(data) {
      if (!isEnding) send(data);
    },
    sendControl(type) {
      if (isEnding) return;
      if (type === "keepalive") {
        send(JSON.stringify({ type: "KeepAlive" }));
        return;
      }
      unansweredFinalizes += 1;
      if (!hasFinalize()) {
        endStream();
        return;
      }
      send(JSON.stringify({ type: "Finalize" }));
      clearTimeout(finalizeTimer);
      finalizeTimer = setTimeout(endStream, finalizeAnswerMs);
    },
    ...(canConfigure(settings) && {
      changeTerms(terms) {
        if (isEnding) return;
        unansweredConfigures += 1;
        const keyterms = listKeyterms({ ...start, terms });
        send(JSON.stringify({ type: "Configure", keyterms }));
      },
    }),
    close() {
      endStream();
      close();
    },
  };
};

const canConfigure = ({ url, model, hasConfigure }: DeepgramSettings): boolean =>
  hasConfigure && hasKeyterms(model) && !serversWithoutConfigure.has(url);
