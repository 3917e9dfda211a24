import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

/**
 * First parts of the keys whose texts every page may need, and those that one sees before signing in.
 * They are loaded first, as `en.json?door`; the texts of the pages behind them are `en.json?rooms`.
 */
export const doorWords: ReadonlySet<string> = new Set([
  "auth",
  "bar",
  "brand",
  "common",
  "confirm",
  "confirmation",
  "crash",
  "error",
  "forgotten",
  "language",
  "link",
  "mail",
  "notFound",
  "offline",
  "part",
  "reset",
  "title",
  "validation",
]);

const parts = {
  door: (key: string) => doorWords.has(firstOf(key)),
  rooms: (key: string) => !doorWords.has(firstOf(key)),
};

const firstOf = (key: string) => key.slice(0, key.indexOf("."));

/** The texts of one dictionary in the form that needs no message parser in the browser. */
function compiled(code: string, wanted: (key: string) => boolean): string {
  const messages = Object.entries<string>(JSON.parse(code)).filter(([key]) => wanted(key));
  return JSON.stringify(
    Object.fromEntries(messages.map(([key, text]) => [key, compileMessage(text)])),
  );
}

/** Compiles dictionaries that are loaded whole. */
export function dictionaries(): Plugin {
  return {
    name: "dictionaries",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/client\/(\w+\/)?i18n\/\w+\.json$/ },
      handler: (code) => ({ code: compiled(code, () => true), map: null }),
    },
  };
}

/** Divides a dictionary into its parts, and compiles them. */
export function dictionaryParts(): Plugin {
  return {
    name: "dictionary-parts",
    enforce: "pre",
    transform: {
      filter: { id: /\/i18n\/\w+\.json\?(door|rooms)$/ },
      handler(code, id) {
        const wanted = id.endsWith("?door") ? parts.door : parts.rooms;
        // By its name Vite does not take it for JSON.
        return { code: `export default ${compiled(code, wanted)}`, moduleType: "js", map: null };
      },
    },
  };
}
