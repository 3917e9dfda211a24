import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Driver, keys } from "./driver.ts";
import { Program } from "./processes.ts";

/** WebKit for GTK, in the window of `webkit-window.py`, on a screen of its own. */

const width = 1440;
const height = 900;

/** GDK's names of keys that are no character. */
const keyNames: Record<string, string> = {
  [keys.backspace]: "BackSpace",
  [keys.tab]: "Tab",
  [keys.enter]: "Return",
  [keys.shift]: "Shift_L",
  [keys.control]: "Control_L",
  [keys.escape]: "Escape",
  [keys.arrowDown]: "Down",
};
const toKeyName = (key: string) => keyNames[key] ?? key;

export async function startWebKit(): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "dualect-webkit-"));
  mkdirSync(join(folder, "gtk-3.0"));
  // Without motion, as the other tests. GDK's events for tests have no time: a second press at one place would be the
  // second of a double click, however much later.
  writeFileSync(
    join(folder, "gtk-3.0/settings.ini"),
    "[Settings]\ngtk-enable-animations=0\ngtk-double-click-time=0\n",
  );
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
  const program = new Program(
    // Debian's own, which has its packages.
    "/usr/bin/python3",
    [
      fileURLToPath(new URL("webkit-window.py", import.meta.url)),
      folder,
      String(width),
      String(height),
    ],
    {
      DISPLAY: `:${display}`,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
      // Not the screen and the input method of whoever runs the tests.
      GDK_BACKEND: "x11",
      GTK_IM_MODULE: "gtk-im-context-simple",
      NO_AT_BRIDGE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
      // Only with these events does GDK know those that are sent for a test.
      GDK_CORE_DEVICE_EVENTS: "1",
    },
  );
  const version = await program.waitFor(/"version": "(.*?)"/);
  const uncaught: string[] = [];
  let hasEnded = false;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  createInterface(program.channel)
    .on("line", (line) => {
      const answer = JSON.parse(line);
      if (answer.uncaught !== undefined) uncaught.push(answer.uncaught);
      const { resolve, reject } = waiting.get(answer.id) ?? {};
      waiting.delete(answer.id);
      if (answer.error === undefined) resolve?.(answer.value);
      else reject?.(new Error(answer.error));
    })
    // Of a window that ends; `close` follows.
    .on("error", () => {});
  program.channel.on("close", () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error("WebKit's window has ended"));
  });
  const send = async (name: string, ...args: unknown[]): Promise<unknown> => {
    if (hasEnded) throw new Error("WebKit's window has ended");
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(lastId, answer);
    program.channel.write(`${JSON.stringify([lastId, name, args])}\n`);
    return answer.promise;
  };
  return {
    version: `WebKitGTK ${version}`,
    async navigate(url) {
      await send("load", url);
    },
    async reload() {
      await send("reload");
    },
    async call(code, args) {
      const answer = await send("call", code, args);
      return JSON.parse(String(answer)).value;
    },
    async click(x, y) {
      await send("click", x, y);
    },
    async press(pressed, held) {
      await send("press", pressed.map(toKeyName), held === undefined ? null : toKeyName(held));
    },
    uncaught,
    async deleteCookies() {
      await send("delete_cookies");
    },
    async takeScreenshot() {
      return Buffer.from(String(await send("take_screenshot")), "base64");
    },
    async close() {
      await program.end();
      await screen.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
