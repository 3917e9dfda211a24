import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, preview } from "vite";
import { messages } from "#build/messages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the page in `bench/<name>` like the product, and serves it on 127.0.0.1. */
export async function serveHarness(name: string): Promise<{ url: string; close(): Promise<void> }> {
  const page = `bench/${name}/index.html`;
  const outDir = `.tmp/bench-${name}`;
  const shared = {
    configFile: false,
    // Tailwind searches for class names below this folder.
    root,
    plugins: [messages(), react(), tailwindcss()],
    json: { namedExports: false },
    logLevel: "warn",
    build: { target: "es2022", outDir, emptyOutDir: true, rollupOptions: { input: page } },
  } as const;
  await build({ ...shared, plugins: [...shared.plugins] });
  const server = await preview({
    ...shared,
    plugins: [],
    preview: { host: "127.0.0.1", port: 0, strictPort: false },
  });
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error("The page is not served");
  return { url: new URL(page, url).href, close: () => server.close() };
}
