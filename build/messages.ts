import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";
// Writes the modules that import the messages.
import "./message-indexes.ts";

/** Compiles ICU messages, so that the browser needs no parser for them. */
export function messages(): Plugin {
  return {
    name: "messages",
    enforce: "pre",
    transform: {
      filter: { id: /src\/client\/.*\/(en|zh)\.json$/ },
      handler(code) {
        const texts = Object.entries<string>(JSON.parse(code));
        const compiled = texts.map(([key, text]) => [key, compileMessage(text)]);
        return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
      },
    },
  };
}
