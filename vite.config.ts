import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunks } from "./build/chunks.ts";
import { dictionaries, dictionaryParts } from "./build/dictionaries.ts";
import { headStart } from "./build/head-start.ts";
import { shell } from "./build/shell.ts";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

const { plugin: cutChunks, groups } = chunks();

export default defineConfig(({ command }) => ({
  plugins: [
    dictionaries(),
    dictionaryParts(),
    react(),
    tailwindcss(),
    cutChunks,
    headStart(),
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
          output: { codeSplitting: { groups } },
        },
      },
    },
  },
}));
