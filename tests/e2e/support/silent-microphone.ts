import type { BrowserContext, Page } from "@playwright/test";

/** What the next question for a microphone meets; `never`: no answer. The others are the browser's names. */
export type MicrophoneFault =
  | "none"
  | "never"
  | "NotAllowedError"
  | "NotFoundError"
  | "NotReadableError"
  | "UnknownError";

/**
 * Gives pages of `context` a microphone that hears silence, for journeys that need no words: silence
 * cannot be starved by another browser.
 */
export async function installSilentMicrophone(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let fault = "none";
    let open: MediaStreamTrack[] = [];
    addEventListener("microphone", (event) => {
      const order = event instanceof CustomEvent ? String(event.detail) : "";
      if (order !== "unplug") fault = order;
      else for (const track of open) track.dispatchEvent(new Event("ended"));
    });
    // Pages that are not served securely have none.
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

/** From now on, on this load of `page`. */
export const failMicrophone = (page: Page, fault: MicrophoneFault) => sendToMicrophone(page, fault);

/** The device is gone. */
export const unplugMicrophone = (page: Page) => sendToMicrophone(page, "unplug");
