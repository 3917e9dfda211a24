import { resolve } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";
import { keysOf } from "./words.ts";

const wordsOfPage = /^virtual:words\/([\w-]+)\/(en|zh)$/;
const part = /\/i18n\/\w+\.json\?page=([\w-]+)$/;

/** The texts of one dictionary in the form that needs no message parser in the browser. */
function compiled(code: string, keysWanted: (keys: string[]) => ReadonlySet<string>): string {
  const messages: Record<string, string> = JSON.parse(code);
  const wanted = keysWanted(Object.keys(messages));
  const texts = Object.entries(messages).filter(([key]) => wanted.has(key));
  return JSON.stringify(
    Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)])),
  );
}

/** Compiles dictionaries that are loaded whole. */
export function dictionaries(): Plugin {
  return {
    name: "dictionaries",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/client\/(\w+\/)?i18n\/\w+\.json$/ },
      handler: (code) => ({ code: compiled(code, (keys) => new Set(keys)), map: null }),
    },
  };
}

/**
 * Serves `virtual:words/PAGE/LANGUAGE`: of the product's dictionary what that page needs, compiled.
 * Where nothing is built, which changes from moment to moment, it is the whole dictionary.
 */
export function dictionaryParts(): Plugin {
  let built = false;
  return {
    name: "dictionary-parts",
    enforce: "pre",
    configResolved({ command }) {
      built = command === "build";
    },
    resolveId: {
      filter: { id: wordsOfPage },
      handler(id) {
        const [, page, language] = wordsOfPage.exec(id) ?? [];
        return resolve(`src/client/i18n/${language}.json?page=${page}`);
      },
    },
    transform: {
      filter: { id: part },
      handler(code, id) {
        const page = part.exec(id)?.[1] ?? "door";
        const texts = compiled(code, (keys) => (built ? keysOf(page, keys) : new Set(keys)));
        // By its name Vite does not take it for JSON.
        return { code: `export default ${texts}`, moduleType: "js", map: null };
      },
    },
  };
}
