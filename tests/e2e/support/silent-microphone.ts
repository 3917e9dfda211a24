import type { BrowserContext, Page } from "@playwright/test";

/** What the next `getUserMedia` does; `never`: it stays pending. The others are the browser's error names. */
export type MicrophoneFault =
  | "none"
  | "never"
  | "NotAllowedError"
  | "NotFoundError"
  | "NotReadableError"
  | "UnknownError";

/** Gives pages of `context` a silent microphone, for tests without words: independent of the load on the machine. */
export async function installSilentMicrophone(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let fault = "none";
    let open: MediaStreamTrack[] = [];
    addEventListener("microphone", (event) => {
      const order = event instanceof CustomEvent ? String(event.detail) : "";
      if (order !== "unplug") fault = order;
      else for (const track of open) track.dispatchEvent(new Event("ended"));
    });
    // Insecure pages have no `mediaDevices`.
    if (navigator.mediaDevices === undefined) return;
    navigator.mediaDevices.getUserMedia = async () => {
      if (fault === "never") return new Promise(() => {});
      if (fault !== "none") throw new DOMException("on purpose", fault);
      const audio = new AudioContext();
      const destination = audio.createMediaStreamDestination();
      const silence = new ConstantSourceNode(audio, { offset: 0 });
      silence.connect(destination);
      silence.start();
      open = destination.stream.getTracks();
      return destination.stream;
    };
  });
}

const sendToMicrophone = (page: Page, order: string): Promise<void> =>
  page.evaluate((detail) => {
    dispatchEvent(new CustomEvent("microphone", { detail }));
  }, order);

/** Until the next load of `page`. */
export const failMicrophone = (page: Page, fault: MicrophoneFault) => sendToMicrophone(page, fault);

export const unplugMicrophone = (page: Page) => sendToMicrophone(page, "unplug");
