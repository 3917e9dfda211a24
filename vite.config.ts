import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { dictionaries, dictionaryParts } from "./build/dictionaries.ts";
import { shell } from "./build/shell.ts";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

export default defineConfig(({ command }) => ({
  plugins: [
    dictionaries(),
    dictionaryParts(),
    react(),
    tailwindcss(),
    shell(),
    cloudflare({
      persistState: { path: ".local/workerd" },
      inspectorPort: false,
      ...(command === "serve" && localVars ? { config: { vars: JSON.parse(localVars) } } : {}),
    }),
  ],
  // Dictionary keys have dots: as named exports they would only weigh.
  json: { namedExports: false },
  // A worker loads what makes a format when it is wanted.
  worker: { format: "es" },
  build: { target: "es2022", sourcemap: "hidden" },
  environments: {
    client: {
      build: {
        // Says which files a page loads: see bench/bundle.ts.
        manifest: true,
        rolldownOptions: {
          // What every page needs is one file, and what every page with a header needs is another: many
          // small ones weigh more.
          output: {
            codeSplitting: {
              groups: [
                { name: "base", tags: ["$initial"], priority: 2 },
                { name: "header", test: /\/features\/shell\/header\.tsx$/, priority: 1 },
              ],
            },
          },
        },
      },
    },
  },
}));
