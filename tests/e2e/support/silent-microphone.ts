import type { BrowserContext, Page } from "@playwright/test";

/** Result of the next `getUserMedia`: success, a promise that stays pending, or an error by its name. */
export type MicrophoneFault =
  | "none"
  | "never"
  | "NotAllowedError"
  | "NotFoundError"
  | "NotReadableError"
  | "UnknownError";

/** Gives the pages of `context` a silent microphone. Such tests do not depend on the load of the machine. */
export async function installSilentMicrophone(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let fault = "none";
    let open: MediaStreamTrack[] = [];
    addEventListener("microphone", (event) => {
      const command = event instanceof CustomEvent ? String(event.detail) : "";
      if (command !== "unplug") fault = command;
      else for (const track of open) track.dispatchEvent(new Event("ended"));
    });
    // Insecure pages have no `mediaDevices`.
    if (navigator.mediaDevices === undefined) return;
    navigator.mediaDevices.getUserMedia = async () => {
      if (fault === "never") return new Promise(() => {});
      if (fault !== "none") throw new DOMException("simulated failure", fault);
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

const sendToMicrophone = (page: Page, command: string): Promise<void> =>
  page.evaluate((detail) => {
    dispatchEvent(new CustomEvent("microphone", { detail }));
  }, command);

/** Makes `getUserMedia` fail until `page` is loaded again. */
export const failMicrophone = (page: Page, fault: MicrophoneFault) => sendToMicrophone(page, fault);

export const unplugMicrophone = (page: Page) => sendToMicrophone(page, "unplug");
