import { describe, expect, it } from "vitest";
import { describeServices } from "#local/describe-services.ts";

const stackUrl = "http://127.0.0.1:9000";
const ollama = {
  server: "Ollama",
  url: "http://127.0.0.1:11434/v1",
  model: "llama3.2:3b",
  window: null,
};
const nothing = { model: null, speech: null };
const browserSpeech =
  /^Speech: the browser's own recognition where it has one, or a model in the page\. The demo, a choice of its own, /;
const demoSpeech = /^Speech: the demo, which writes a sample lecture in place of what is said /;
const browserLanguage =
  /^Translations and summaries: this browser's own where it has them; translations also by a model in the page\./;

describe("describeServices", () => {
  it("names what can be set where nothing is", () => {
    const [speech, language] = describeServices({}, nothing, stackUrl);
    expect(speech).toMatch(browserSpeech);
    expect(speech).toContain("SONIOX_API_KEY");
    expect(speech).toContain("WhisperLiveKit");
    expect(language).toMatch(browserLanguage);
    expect(language).toContain("Ollama");
  });

  it("names a model on this machine", () => {
    const found = { ...nothing, model: ollama };
    expect(describeServices({}, found, stackUrl)[1]).toBe(
      "Translations and summaries: llama3.2:3b (Ollama on this machine)",
    );
  });

  it("says why a model was chosen, and which ones were not", () => {
    const found = { ...nothing, model: ollama };
    const leftOut = [
      { server: "Ollama", model: "gpt-oss:120b-cloud", why: "it answers on another machine" },
      { server: "Ollama", model: "bge-m3", why: "it embeds texts" },
    ];
    const why = "it has translated a sentence";
    const models =
      "Left out: gpt-oss:120b-cloud in Ollama (it answers on another machine), bge-m3 in Ollama (it embeds texts). LLM_BASE_URL and LLM_MODEL choose one, LOCAL_LLM=off none.";
    expect(describeServices({}, found, stackUrl, { why, leftOut })[1]).toBe(
      `Translations and summaries: llama3.2:3b (Ollama on this machine), because it has translated a sentence. ${models}`,
    );
    const [, none] = describeServices({}, nothing, stackUrl, { why: "", leftOut });
    expect(none).toMatch(browserLanguage);
    expect(none).toContain(models);
  });

  it("names a speech server on this machine, and how it is left out", () => {
    const speech = { url: "ws://127.0.0.1:8000/v1/listen", hasFinalize: false };
    expect(describeServices({}, { ...nothing, speech }, stackUrl)[0]).toBe(
      "Speech: your own server at 127.0.0.1:8000 (Deepgram's protocol). LOCAL_SPEECH=off leaves it out.",
    );
  });

  it("names a configured model and its host, and no key", () => {
    const env = { LLM_API_KEY: "secret-key", LLM_MODEL: "model" };
    const describeModel = (more = {}) =>
      describeServices({ ...env, ...more }, nothing, stackUrl)[1];
    expect(describeModel()).toBe("Translations and summaries: model (api.openai.com)");
    expect(describeModel({ LLM_BASE_URL: "https://user:pass@llm.example.org:8443/v1" })).toBe(
      "Translations and summaries: model (llm.example.org:8443)",
    );
  });

  it.each([
    [{ SONIOX_API_KEY: "secret-key" }, "Speech: Soniox"],
    [{ SPEECH_PROVIDER: "deepgram", DEEPGRAM_API_KEY: "secret-key" }, "Speech: Deepgram"],
    [
      { SPEECH_PROVIDER: "deepgram", DEEPGRAM_URL: "ws://127.0.0.1:8000/v1/listen" },
      "Speech: 127.0.0.1:8000 (Deepgram's protocol)",
    ],
    [{ SPEECH_PROVIDER: "deepgram" }, expect.stringMatching(browserSpeech)],
    [{ SPEECH: "demo" }, expect.stringMatching(demoSpeech)],
    [{ SPEECH: "demo", SONIOX_API_KEY: "secret-key" }, expect.stringMatching(demoSpeech)],
  ])("describes speech with %o", (env, line) => {
    expect(describeServices(env, nothing, stackUrl)[0]).toEqual(line);
  });

  it.each([
    [{}, "E-mail: shown at http://127.0.0.1:9000/mail/"],
    [{ RESEND_API_KEY: "secret-key", MAIL_FROM: "a@example.org" }, "E-mail: Resend"],
  ])("describes e-mail with %o", (env, line) => {
    expect(describeServices(env, nothing, stackUrl)[2]).toBe(line);
  });
});
