import { hasIntegration, type SettingName } from "#worker/settings.ts";
import type { LocalSpeechServer } from "./deepgram/find-local-server.ts";
import type { LeftOutModel, LocalModel } from "./llm/find-local-model.ts";

type Environment = Record<string, string | undefined>;

/** What was found on this machine. */
export interface Found {
  model: LocalModel | null;
  speech: LocalSpeechServer | null;
}

/** How the search for a model went. */
interface ModelSearch {
  why: string;
  leftOut: readonly LeftOutModel[];
}
const noSearch: ModelSearch = { why: "", leftOut: [] };

/** Start-up lines: what recognises, what translates and summarises, and where e-mails go, with the settings of `env`. */
export const describeServices = (
  env: Environment,
  { model, speech }: Found,
  stackUrl: string,
  search = noSearch,
): string[] => [
  describeSpeech(env, speech),
  [describeLanguage(env, model, search), ...describeLeftOut(search)].join(" "),
  `E-mail: ${hasIntegration("mail", (name: SettingName) => Boolean(env[name])) ? "Resend" : `shown at ${stackUrl}/mail/`}`,
];

function describeSpeech(env: Environment, found: LocalSpeechServer | null): string {
  if (found)
    return (
      `Speech: your own server at ${getHost(found.url)} (Deepgram's protocol). ` +
      "LOCAL_SPEECH=off leaves it out."
    );
  const { SPEECH, SPEECH_PROVIDER, SONIOX_API_KEY, DEEPGRAM_API_KEY, DEEPGRAM_URL } = env;
  if (SPEECH === "demo")
    return "Speech: the demo, which writes a sample lecture in place of what is said (SPEECH=demo).";
  if (SPEECH_PROVIDER === "deepgram") {
    if (DEEPGRAM_URL) return `Speech: ${getHost(DEEPGRAM_URL)} (Deepgram's protocol)`;
    if (DEEPGRAM_API_KEY) return "Speech: Deepgram";
  } else if (SONIOX_API_KEY) return "Speech: Soniox";
  return (
    "Speech: the browser's own recognition where it has one, or a model in the page. The demo, a choice of its own, writes a sample lecture. " +
    "Start WhisperLiveKit, or set SONIOX_API_KEY, or DEEPGRAM_API_KEY and SPEECH_PROVIDER=deepgram, for a service."
  );
}

function describeLanguage(
  env: Environment,
  localModel: LocalModel | null,
  { why }: ModelSearch,
): string {
  const title = "Translations and summaries";
  if (localModel) {
    const name = `${title}: ${localModel.model} (${localModel.server} on this machine)`;
    return why === "" ? name : `${name}, because ${why}.`;
  }
  const { LLM_MODEL, LLM_BASE_URL } = env;
  if (LLM_MODEL)
    return `${title}: ${LLM_MODEL} (${getHost(LLM_BASE_URL || "https://api.openai.com")})`;
  return (
    `${title}: this browser's own where it has them; translations also by a model in the page. ` +
    "Start Ollama, LM Studio or llama.cpp, or set LLM_API_KEY and LLM_MODEL, for real ones."
  );
}

/** One sentence, or none. */
const describeLeftOut = ({ leftOut }: ModelSearch): string[] => {
  if (leftOut.length === 0) return [];
  const models = leftOut.map(({ server, model, why }) => `${model} in ${server} (${why})`);
  return [
    `Left out: ${models.join(", ")}. LLM_BASE_URL and LLM_MODEL choose one, LOCAL_LLM=off none.`,
  ];
};

/** The worker reports an address that is none. */
const getHost = (url: string): string => URL.parse(url)?.host ?? url;
