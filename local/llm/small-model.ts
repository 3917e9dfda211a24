import type { CompletionRequest } from "./request.ts";

/** What small models on a person's own machine do to an answer, as measured with llama.cpp and SmolLM2-135M in November 2026. */

export const manners = [
  "think",
  "unopened",
  "channels",
  "onlyThink",
  "fence",
  "preface",
  "repeat",
  "echo",
  "wrongLanguage",
] as const;
export type Manner = (typeof manners)[number];

/** Sentences of an answer without end: the request's limit ends it. */
const repetitions = 400;

/** `answer` to the words `text`, as a model with such a manner gives it. */
export function applyManner(manner: Manner, answer: string, text: string): string {
  switch (manner) {
    case "think":
      return `<think>\nThe speaker says: ${text}\nI have to be careful.\n</think>\n\n${answer}`;
    case "unopened":
      return `Okay, the speaker says: ${text}\nI have to be careful.\n</think>\n\n${answer}`;
    case "channels":
      return `<|channel|>analysis<|message|>The speaker says: ${text}<|end|><|start|>assistant<|channel|>final<|message|>${answer}`;
    case "onlyThink":
      return `<think>\nThe speaker says: ${text}`;
    case "fence":
      return `\`\`\`text\n${answer}\n\`\`\``;
    case "preface":
      return `Sure! Here is the translation:\n\n${answer}`;
    case "repeat":
      return `${answer} `.repeat(repetitions).trimEnd();
    case "echo":
      return text;
    case "wrongLanguage":
      return "This is a text about the things that the speaker has said, and it is not what you have asked for.";
  }
}

/** What a server that knows `response_format` makes of an answer that is no JSON: the object with its first string. */
export function applySchema(request: CompletionRequest, answer: string): string {
  const schema = request.response_format?.json_schema?.schema;
  const [name] = schema?.required ?? [];
  if (name === undefined || answer.startsWith("{")) return answer;
  return JSON.stringify({ [name]: answer });
}

/** The places of a server that answers so many requests at a time; the others wait in their order. */
export class Slots {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when one of `count` slots is free. Call the result when the answer has ended. */
  async take(count: number, signal: AbortSignal): Promise<() => void> {
    while (this.#taken >= count && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    this.#taken += 1;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#taken -= 1;
      this.#waiting.shift()?.();
    };
  }
}
