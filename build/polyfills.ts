import { createHash } from "node:crypto";
import { build, type Plugin } from "vite";
import { buildTarget } from "./browsers.ts";

/** The script that loads the functions in browsers without them. */
const browserTag = '<script src="/browser.js"';

/** Builds `src/polyfills`, for pages and for workers, and names the page's script to `public/browser.js`. */
export function polyfills(): Plugin {
  let pageScript = "";
  return {
    name: "polyfills",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    async buildStart() {
      const emit = (name: string, source: string) => {
        const hash = createHash("sha256").update(source).digest("base64url").slice(0, 7);
        const fileName = `assets/${name}-${hash}.js`;
        this.emitFile({ type: "asset", fileName, source });
        return `/${fileName}`;
      };
      const worker = emit("polyfills-worker", await buildScript("worker", {}));
      const define = { POLYFILLS_WORKER: JSON.stringify(worker) };
      pageScript = emit("polyfills", await buildScript("page", define));
    },
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const [before, after] = html.split(browserTag);
        if (before === undefined || after === undefined) throw new Error(`No ${browserTag}`);
        return `${before}${browserTag} data-polyfills="${pageScript}"${after}`;
      },
    },
  };
}

async function buildScript(name: "page" | "worker", define: Record<string, string>) {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define,
    build: {
      write: false,
      target: buildTarget,
      rolldownOptions: { input: `src/polyfills/${name}.ts`, output: { format: "iife" } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !("output" in output)) throw new Error(`src/polyfills/${name}.ts was not built`);
  return output.output[0].code;
}
