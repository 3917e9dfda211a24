import { parseSonioxMessage, toSonioxStart } from "./soniox-messages.ts";
import {
  attachSocket,
  type OpenSpeechSession,
  requestSocket,
  type SpeechSettings,
} from "./speech-session.ts";

type SonioxSettings = Extract<SpeechSettings, { service: "Soniox" }>;

export const openSonioxSession: OpenSpeechSession<SonioxSettings> = async (
  { url, apiKey, endpointSensitivity },
  start,
  handlers,
  signal,
) => {
  const { status, webSocket } = await requestSocket(url, `Bearer ${apiKey}`, signal);
  if (!webSocket) throw new Error(`The speech service answered ${status}`);
  const { send, close } = attachSocket(webSocket, {
    ...handlers,
    message(body) {
      const message = parseSonioxMessage(body);
      if (message) handlers.message(message);
    },
  });
  send(JSON.stringify(toSonioxStart(start, endpointSensitivity)));
  return {
    answersSilence: true,
    sendAudio: send,
    sendControl: (type) => send(JSON.stringify({ type })),
    close,
  };
};
