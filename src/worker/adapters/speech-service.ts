import { openDeepgramSession } from "./deepgram.ts";
import { openSonioxSession } from "./soniox.ts";
import type { OpenSpeechSession, SpeechSettings } from "./speech-session.ts";

export const openSpeechSession: OpenSpeechSession<SpeechSettings> = (settings, ...request) =>
  settings.service === "Deepgram"
    ? openDeepgramSession(settings, ...request)
    : openSonioxSession(settings, ...request);
