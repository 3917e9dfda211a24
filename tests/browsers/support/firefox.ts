import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import type { Driver } from "./driver.ts";
import { Program } from "./processes.ts";

/** Firefox, by WebDriver BiDi. */

const width = 1440;
const height = 900;

const preferences = {
  // Sound without a device.
  "media.cubeb.sandbox": false,
  "media.cubeb.force_mock_context": true,
  "media.navigator.streams.fake": true,
  "media.navigator.permission.disabled": true,
  "media.autoplay.default": 0,
  // Without motion, as the other tests.
  "ui.prefersReducedMotion": 1,
  // No requests of its own, and no pages.
  "app.update.disabledForTesting": true,
  "app.normandy.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.getAddons.cache.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.reportingpolicy.firstRun": false,
  "dom.disable_beforeunload": false,
};

export async function startFirefox(): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "dualect-firefox-"));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(folder, "user.js"), lines.join(""));
  const program = new Program(
    "firefox-esr",
    [
      "--headless",
      "--no-remote",
      "--profile",
      folder,
      "--remote-debugging-port",
      "0",
      "--window-size",
      `${width},${height}`,
    ],
    { HOME: folder, MOZ_CRASHREPORTER_DISABLE: "1" },
  );
  const address = await program.waitFor(/WebDriver BiDi listening on (ws:\S+)/);
  const connection = await Connection.open(`${address}/session`);
  const { capabilities } = await connection.send("session.new", {
    capabilities: {
      alwaysMatch: { unhandledPromptBehavior: { default: "accept" } },
    },
  });
  // In the first tab the field of the address has the focus, and no page gets it.
  const { context } = await connection.send("browsingContext.create", { type: "tab" });
  await connection.send("session.subscribe", { events: ["log.entryAdded"] });
  await connection.send("browsingContext.setViewport", { context, viewport: { width, height } });
  const uncaught: string[] = [];
  connection.onEvent = (method, { type, level, text }) => {
    // Connections that fail are of this type too.
    const isThrown =
      type === "javascript" && level === "error" && /^\w*Error:|^uncaught/i.test(text);
    if (method === "log.entryAdded" && isThrown) uncaught.push(text);
  };
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    async navigate(url) {
      await connection.send("browsingContext.navigate", { context, url, wait: "interactive" });
    },
    async reload() {
      await connection.send("browsingContext.reload", { context, wait: "interactive" });
    },
    async call(code, args) {
      const { result, exceptionDetails } = await connection.send("script.callFunction", {
        functionDeclaration: `async (json) => JSON.stringify({ value: await (${code})(...JSON.parse(json)) })`,
        arguments: [{ type: "string", value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value).value;
    },
    async click(x, y) {
      await connection.send("input.performActions", { context, actions: toClick(x, y) });
    },
    async press(pressed, held) {
      await connection.send("input.performActions", {
        context,
        actions: toPresses(pressed, held),
      });
    },
    uncaught,
    async deleteCookies() {
      await connection.send("storage.deleteCookies", {});
    },
    async takeScreenshot() {
      const { data } = await connection.send("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    async close() {
      await connection.send("browser.close", {}).catch(() => {});
      connection.close();
      await program.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** BiDi's sequence of actions for a press of the mouse. */
const toClick = (x: number, y: number) => [
  {
    type: "pointer",
    id: "mouse",
    parameters: { pointerType: "mouse" },
    actions: [
      { type: "pointerMove", x, y },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ],
  },
];

const toPresses = (pressed: readonly string[], held?: string) => {
  const presses = pressed.flatMap((value) => [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ]);
  const actions =
    held === undefined
      ? presses
      : [{ type: "keyDown", value: held }, ...presses, { type: "keyUp", value: held }];
  return [{ type: "key", id: "keyboard", actions }];
};

// biome-ignore lint/suspicious/noExplicitAny: the answers of Firefox, read where they come
type Answer = any;

/** Commands and events of WebDriver BiDi. */
class Connection {
  onEvent: (method: string, params: Answer) => void = () => {};
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();

  static async open(url: string): Promise<Connection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 64 * 2 ** 20 });
    await new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return new Connection(socket);
  }

  private constructor(private readonly socket: WebSocket) {
    socket.on("message", (data) => this.#receive(JSON.parse(String(data))));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Firefox has ended"));
    });
  }

  send(method: string, params: object): Promise<Answer> {
    this.#lastId += 1;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(this.#lastId, answer);
    this.socket.send(JSON.stringify({ id: this.#lastId, method, params }));
    return answer.promise;
  }

  close(): void {
    this.socket.close();
  }

  #receive(message: Answer): void {
    if (message.type === "event") {
      this.onEvent(message.method, message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "error")
      waiting?.reject(new Error(`BiDi ${message.error}: ${message.message}`));
    else waiting?.resolve(message.result);
  }
}
