import type { SpeechEvent, Synthesizer } from "./synthesizer.ts";
import type { Voice } from "./voices.ts";

const toVoice = ({
  voiceURI,
  name,
  lang,
  localService,
  default: isDefault,
}: SpeechSynthesisVoice) =>
  ({
    id: voiceURI,
    name,
    tag: lang.replace("_", "-").toLowerCase(),
    isLocal: localService,
    isDefault,
  }) satisfies Voice;

/** `canceled` is what `cancel` says of itself, and also what another page's engine does to this one. */
const errorEvents: Partial<Record<SpeechSynthesisErrorCode, SpeechEvent>> = {
  "not-allowed": "blocked",
  interrupted: "cut",
  canceled: "cut",
  "audio-busy": "cut",
};

/** The voices of this browser; null where it has none at all, as in some pages inside of other programs. */
export function createBrowserSynthesizer(): Synthesizer | null {
  if (!("speechSynthesis" in window) || !("SpeechSynthesisUtterance" in window)) return null;
  const { speechSynthesis } = window;
  const findVoice = ({ id, name, tag }: Voice) =>
    speechSynthesis.getVoices().find((one) => {
      const voice = toVoice(one);
      return voice.id === id && voice.name === name && voice.tag === tag;
    });
  /** Held here: Chrome and WebKit collect an utterance that only the engine has, and its events with it. */
  let current: SpeechSynthesisUtterance | null = null;
  return {
    listVoices: () => speechSynthesis.getVoices().map(toVoice),
    onVoices(listener) {
      // In old versions of Safari it is no target of events, and has its voices at once.
      speechSynthesis.addEventListener?.("voiceschanged", listener);
      return () => speechSynthesis.removeEventListener?.("voiceschanged", listener);
    },
    speak({ text, voice, rate }, report) {
      const utterance = new SpeechSynthesisUtterance(text);
      const chosen = findVoice(voice);
      if (chosen) utterance.voice = chosen;
      utterance.lang = chosen?.lang ?? voice.tag;
      utterance.rate = rate;
      current = utterance;
      const tell = (event: SpeechEvent) => {
        if (current === utterance) report(event);
      };
      utterance.onstart = () => tell("start");
      utterance.onend = () => tell("end");
      utterance.onerror = ({ error }) => tell(errorEvents[error] ?? "failed");
      // Chrome stays paused when a page that has paused it is left.
      speechSynthesis.resume();
      speechSynthesis.speak(utterance);
    },
    cancel() {
      current = null;
      speechSynthesis.cancel();
    },
  };
}
