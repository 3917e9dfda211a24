import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { messages } from "./messages.ts";
import { readerPage } from "./pages.ts";

const outDir = "node_modules/.cache/prerender";

/**
 * Writes what pages show first, in both languages, as templates into the documents; `public/start.js` shows the
 * right one before the first paint, and the program takes its place.
 */
export function prerender(alias: Record<string, string>): Plugin {
  let bundle: Promise<void> | undefined;
  return {
    name: "prerender",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transformIndexHtml: {
      order: "post",
      async handler(html, { path }) {
        bundle ??= bundlePages(alias);
        await bundle;
        const document = path.endsWith(readerPage.document) ? "live" : "application";
        const markup = await renderPages(document);
        // By name: a page's languages stand side by side, within the 32 KB in which gzip finds what repeats.
        const templates = Object.keys(markup)
          .sort()
          .map((name) => `<template id="first-${name}">${markup[name]}</template>`);
        return html.replace('<div id="root"></div>', (root) => root + templates.join(""));
      },
    },
  };
}

/** Bundles the pages for a DOM without a browser, with the modules that a browser would load. */
async function bundlePages(alias: Record<string, string>): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    plugins: [messages(), react()],
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: { alias },
    json: { namedExports: false },
    ssr: {
      noExternal: true,
      target: "webworker",
      resolve: { conditions: ["browser", "module", "import", "default"] },
    },
    build: {
      ssr: "src/client/prerender.tsx",
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "prerender.js" } },
    },
  });
}

async function renderPages(document: "application" | "live"): Promise<Record<string, string>> {
  // A process of its own: packages of the build must not find a `window`.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "build/prerender-pages.ts", resolve(outDir, "prerender.js"), document],
    { maxBuffer: 2 ** 24, timeout: 120_000 },
  );
  return JSON.parse(stdout);
}
