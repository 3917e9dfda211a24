import { cloudflare } from "@cloudflare/vite-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildTarget } from "#build/browsers.ts";
import { chunks } from "#build/chunks.ts";
import { deviceSpeech, getFolder } from "#build/device-speech.ts";
import { linkPreview } from "#build/link-preview.ts";
import { messages } from "#build/messages.ts";
import { modelSource } from "#build/model-source.ts";
import { polyfills } from "#build/polyfills.ts";
import { preload } from "#build/preload.ts";
import { prerender } from "#build/prerender.ts";
import { rewrites } from "#build/rewrites.ts";
import { shell } from "#build/shell.ts";
import { sourceMaps } from "#build/source-maps.ts";
import { workerOptions } from "#build/worker-options.ts";

/** Bindings that the embedded stack passes to the worker under `npm run dev` (JSON). */
const localVars = process.env.DUALECT_LOCAL_VARS;

// React 19 has the hook built in, so the shim for older versions is not needed.
const alias = {
  ...deviceSpeech.alias,
  "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
};

// Otherwise the build copies the secrets of a server of one's own, `.env`, into its folder.
process.env.CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV = "false";

const isLoadedByEachPage = (file: string) => /\/(rolldown-runtime|core|base)-[^/]+$/.test(file);

const { plugin: chunksPlugin, groups } = chunks();

export default defineConfig(({ command }) => ({
  plugins: [
    {
      name: "no-cdn-cgi",
      apply: "serve",
      enforce: "pre",
      // Hides the development server's handlers that run the cron and show storage. Cloudflare hides these
      // addresses too.
      configureServer({ middlewares }) {
        middlewares.use("/cdn-cgi", (_request, response) => void response.writeHead(404).end());
      },
    },
    rewrites(),
    messages(),
    modelSource(),
    react(),
    tailwindcss(),
    chunksPlugin,
    preload(),
    prerender(alias),
    polyfills(),
    linkPreview(),
    shell(),
    sourceMaps(),
    cloudflare({
      persistState: { path: ".local/workerd" },
      inspectorPort: false,
      ...(command === "serve" && localVars ? { config: { vars: JSON.parse(localVars) } } : {}),
    }),
    workerOptions(),
  ],
  resolve: { alias },
  // Message keys contain dots; named exports for them would only add bytes.
  json: { namedExports: false },
  worker: deviceSpeech.worker,
  build: {
    rolldownOptions: { checks: { bundlerTimings: false } },
    target: buildTarget,
    sourcemap: "hidden",
    // For browsers before Safari 17; without it they only fetch a little later.
    modulePreload: {
      polyfill: false,
      // A script that imports another one dynamically has loaded these itself.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === "html" ? files : files.filter((file) => !isLoadedByEachPage(file)),
    },
  },
  environments: {
    client: {
      build: {
        // bench/bundle.ts reads from it which files a page loads.
        manifest: true,
        // kB. The tables of encodings, which are fetched for files that are not Unicode.
        chunkSizeWarningLimit: 1_200,
        rolldownOptions: {
          input: ["index.html", "live.html"],
          // The package does not say that its unused parts, such as its WebSocket client, do nothing.
          treeshake: {
            moduleSideEffects: [{ test: /\/node_modules\/@trpc\//, sideEffects: false }],
          },
          output: {
            codeSplitting: { groups },
            // The first script lists the names of the others, so each character is loaded by every visitor.
            chunkFileNames: ({ name }) => `${getFolder(name)}[name]-[hash:7].js`,
          },
        },
      },
    },
  },
}));
