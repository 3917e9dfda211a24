import { cloudflare } from "@cloudflare/vite-plugin";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

/** Compiles the dictionaries, so that the browser needs no message parser. */
export function dictionaries(): Plugin {
  return {
    name: "dictionaries",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/client\/(\w+\/)?i18n\/\w+\.json$/ },
      handler(code) {
        const messages = Object.entries<string>(JSON.parse(code));
        return {
          code: JSON.stringify(
            Object.fromEntries(messages.map(([key, text]) => [key, compileMessage(text)])),
          ),
          map: null,
        };
      },
    },
  };
}

export default defineConfig(({ command }) => ({
  plugins: [
    dictionaries(),
    react(),
    tailwindcss(),
    cloudflare({
      persistState: { path: ".local/workerd" },
      inspectorPort: false,
      ...(command === "serve" && localVars ? { config: { vars: JSON.parse(localVars) } } : {}),
    }),
  ],
  // Dictionary keys have dots: as named exports they would only weigh.
  json: { namedExports: false },
  build: { target: "es2022", sourcemap: "hidden" },
}));
