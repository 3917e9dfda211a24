import { afterEach, expect, it, vi } from "vitest";
import { browserPorts } from "#client/recorder/browser-ports.ts";

afterEach(() => vi.unstubAllGlobals());

const input = (deviceId: string, label: string, groupId: string) => ({
  kind: "audioinput",
  deviceId,
  label,
  groupId,
});
const headset = input("h", "Headset", "1");
const lineIn = input("l", "Line in", "2");
const builtIn = input("b", "Built-in", "2");

it.each([
  [
    "Chromium, with aliases",
    [
      input("default", "Default - Built-in", "2"),
      input("communications", "Communications - Headset", "1"),
      headset,
      lineIn,
      builtIn,
    ],
    ["b", "h", "l"],
  ],
  ["other browsers, in their order", [builtIn, headset], ["b", "h"]],
  ["a browser without permission", [input("", "", "")], []],
  ["devices of other kinds", [{ ...headset, kind: "audiooutput" }, headset], ["h"]],
])("lists the system's default input first: %s", async (_, devices, ids) => {
  vi.stubGlobal("navigator", { mediaDevices: { enumerateDevices: async () => devices } });
  const listed = await browserPorts().audio.listDevices();
  expect(listed.map(({ id }) => id)).toEqual(ids);
});

it("tells that the page may end before the person is asked, when it is hidden, and when it ends", () => {
  const [page, shown] = [new EventTarget(), new EventTarget()];
  const document = Object.assign(shown, { visibilityState: "visible" });
  vi.stubGlobal("document", document);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  let count = 0;
  const stop = browserPorts().page.onHide(() => {
    count += 1;
  });
  const tell = () => {
    page.dispatchEvent(new Event("beforeunload"));
    shown.dispatchEvent(new Event("visibilitychange"));
    page.dispatchEvent(new Event("pagehide"));
  };
  tell();
  expect(count).toBe(2);
  document.visibilityState = "hidden";
  tell();
  expect(count).toBe(5);
  stop();
  tell();
  expect(count).toBe(5);
});
