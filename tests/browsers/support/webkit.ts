import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Driver, toClick, toPresses, until } from "./driver.ts";
import { findMiniBrowser } from "./installed.ts";
import { Program } from "./processes.ts";

/** WebKit for GTK, by WebDriver, on a screen of its own. */

/** The time limit of a call in the page; shorter than what waits for one, because a new document leaves one without an answer. */
const scriptMs = 20_000;

const width = 1440;
const height = 900;

export async function startWebKit(): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "dualect-webkit-"));
  mkdirSync(join(folder, "gtk-3.0"));
  // Without motion, as the other tests.
  writeFileSync(join(folder, "gtk-3.0/settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  const screen = new Program("Xvfb", [
    "-displayfd",
    "3",
    "-screen",
    "0",
    `${width}x${height}x24`,
    "-nolisten",
    "tcp",
  ]);
  const display = (await screen.waitFor(/(\d+)\n/)).trim();
  const port = await findPort();
  const program = new Program("WebKitWebDriver", [`--port=${port}`], {
    DISPLAY: `:${display}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
    NO_AT_BRIDGE: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  });
  const root = `http://127.0.0.1:${port}`;
  await until("WebKitWebDriver answers", async () => (await send(root, "GET", "/status")) ?? true);
  const started = await send(root, "POST", "/session", {
    capabilities: {
      alwaysMatch: {
        // The page is there before all that it loads.
        pageLoadStrategy: "eager",
        timeouts: { script: scriptMs, pageLoad: 120_000 },
        "webkitgtk:browserOptions": {
          binary: findMiniBrowser(),
          args: [
            "--automation",
            "--enable-media-stream=true",
            "--enable-mock-capture-devices=true",
            "--media-playback-requires-user-gesture=false",
            "--autoplay-policy=allow",
          ],
        },
      },
    },
  });
  const { sessionId, capabilities } = started as {
    sessionId: string;
    capabilities: { browserVersion: string };
  };
  const session = `${root}/session/${sessionId}`;
  await send(session, "POST", "/window/rect", { x: 0, y: 0, width, height });
  async function call(code: string, args: readonly unknown[]): Promise<unknown> {
    const script = `
      const done = arguments[arguments.length - 1];
      Promise.resolve((${code})(...JSON.parse(arguments[0]))).then(
        (value) => done(JSON.stringify({ value })),
        (error) => done(JSON.stringify({ error: String(error && error.stack || error) })),
      );`;
    const answer = await send(session, "POST", "/execute/async", {
      script,
      args: [JSON.stringify(args)],
    });
    const { value, error } = JSON.parse(String(answer));
    if (error !== undefined) throw new Error(error);
    return value;
  }
  /** A call that comes while a document takes the place of the one before it is never answered. */
  async function waitForDocument(): Promise<void> {
    await send(session, "POST", "/timeouts", { script: 2_000 });
    await until("the document answers", () => call("() => true", []));
    await send(session, "POST", "/timeouts", { script: scriptMs });
  }
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async navigate(url) {
      await send(session, "POST", "/url", { url });
      await waitForDocument();
    },
    async reload() {
      await send(session, "POST", "/refresh", {});
      await waitForDocument();
    },
    call,
    async click(x, y) {
      await send(session, "POST", "/actions", { actions: toClick(x, y) });
    },
    async press(pressed, held) {
      await send(session, "POST", "/actions", { actions: toPresses(pressed, held) });
    },
    // WebDriver does not tell.
    uncaught: [],
    async deleteCookies() {
      await send(session, "DELETE", "/cookie");
    },
    async takeScreenshot() {
      return Buffer.from(String(await send(session, "GET", "/screenshot")), "base64");
    },
    async close() {
      await send(session, "DELETE", "").catch(() => {});
      await program.end();
      await screen.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function send(root: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(root + path, {
    method,
    ...(body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = Object(value);
  throw new Error(`WebDriver ${method} ${path}: ${error} ${message}`);
}

/** A port of this machine that nothing uses. */
function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
