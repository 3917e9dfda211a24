import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type Plugin, preview } from "vite";
import { deviceSpeech } from "#build/device-speech.ts";
import { messages } from "#build/messages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface HarnessOptions {
  /** The Content-Security-Policy, made from that of the product's pages; without it, none of their policies. */
  toPolicy?: (pagePolicy: string) => string;
  /** Answers requests below `/files/`; null: 404. */
  readFile?: (path: string) => Promise<Uint8Array | null>;
}

/** Builds the page in `bench/<name>` like the product, and serves it on 127.0.0.1. */
export async function serveHarness(
  name: string,
  { toPolicy, readFile = async () => null }: HarnessOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const page = `bench/${name}/index.html`;
  const outDir = `.tmp/bench-${name}-${process.pid}`;
  const shared = {
    configFile: false,
    // Tailwind searches for class names below this folder.
    root,
    plugins: [messages(), react(), tailwindcss()],
    json: { namedExports: false },
    resolve: { alias: deviceSpeech.alias },
    worker: deviceSpeech.worker,
    logLevel: "warn",
    build: {
      target: "es2022",
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: page, checks: { bundlerTimings: false } },
    },
  } as const;
  await build({ ...shared, plugins: [...shared.plugins] });
  const server = await preview({
    ...shared,
    plugins: [serveFiles(readFile)],
    preview: {
      host: "127.0.0.1",
      port: 0,
      strictPort: false,
      headers: toPolicy
        ? {
            "content-security-policy": toPolicy(readPageHeader("Content-Security-Policy")),
            "document-isolation-policy": readPageHeader("Document-Isolation-Policy"),
          }
        : {},
    },
  });
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error("The page is not served");
  return {
    url: new URL(page, url).href,
    async close() {
      await server.close();
      await rm(outDir, { recursive: true });
    },
  };
}

const serveFiles = (readFile: (path: string) => Promise<Uint8Array | null>): Plugin => ({
  name: "files",
  configurePreviewServer({ middlewares }) {
    middlewares.use("/files/", async ({ url = "/" }, response) => {
      const content = await readFile(url.slice(1));
      response.writeHead(content === null ? 404 : 200).end(content);
    });
  },
});

/** The header of all paths; it is the first of its name in the file. */
function readPageHeader(name: string): string {
  const headers = readFileSync(`${root}public/_headers`, "utf8");
  const value = new RegExp(`^ +${name}: (.+)$`, "m").exec(headers)?.[1];
  if (value === undefined) throw new Error(`public/_headers has no ${name}`);
  return value;
}
