import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunks } from "#build/chunks.ts";
import { messages } from "#build/messages.ts";
import { preload } from "#build/preload.ts";
import { shell } from "#build/shell.ts";
import { sourceMaps } from "#build/source-maps.ts";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

const { plugin: cutChunks, groups } = chunks();

export default defineConfig(({ command }) => ({
  plugins: [
    {
      name: "no-cdn-cgi",
      apply: "serve",
      enforce: "pre",
      // Handlers of the development server that run the cron and show storage. Cloudflare keeps these
      // addresses to itself as well.
      configureServer({ middlewares }) {
        middlewares.use("/cdn-cgi", (_request, response) => void response.writeHead(404).end());
      },
    },
    messages(),
    react(),
    tailwindcss(),
    cutChunks,
    preload(),
    shell(),
    sourceMaps(),
    cloudflare({
      persistState: { path: ".local/workerd" },
      inspectorPort: false,
      ...(command === "serve" && localVars ? { config: { vars: JSON.parse(localVars) } } : {}),
    }),
  ],
  // React 19 has the hook: the version that brings its own for older ones would only weigh.
  resolve: {
    alias: {
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  // Message keys have dots: as named exports they would only weigh.
  json: { namedExports: false },
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
