import { AudioSourceError } from "#client/sound/capture/audio-ports.ts";
import { slidePictureMaxWidth } from "#shared/limits.ts";
import { keepsStills } from "./display-picture.ts";

/** Options and constraints that TypeScript's DOM library does not have. */
interface DisplayOptions extends DisplayMediaStreamOptions {
  audio: MediaTrackConstraints & {
    suppressLocalAudioPlayback: boolean;
    restrictOwnAudio?: boolean;
  };
  systemAudio: "include";
  selfBrowserSurface: "exclude";
  surfaceSwitching: "include";
  preferCurrentTab: false;
}

const knowsConstraint = (devices: MediaDevices, name: string): boolean =>
  (devices.getSupportedConstraints() as Record<string, boolean>)[name] === true;

/**
 * Whether this browser shares the sound of tabs: Chromium on computers, by a constraint that only it has. Firefox and
 * Safari share pictures without sound; phones share nothing.
 */
export function canShareSound(): "yes" | "picturesOnly" | "no" {
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  if (typeof devices?.getDisplayMedia !== "function") return "no";
  return knowsConstraint(devices, "suppressLocalAudioPlayback") ? "yes" : "picturesOnly";
}

/**
 * Lets the person choose a tab or a screen; needs a click or a key before. The stream has its sound, without the echo of
 * this page's own. It has a picture only if stills are kept: the request must ask for one, and Chromium goes on with the
 * sound after it is stopped.
 *
 * @throws AudioSourceError `notShared` when nothing was chosen, `noSound` when the choice has no sound
 */
export async function requestDisplay(): Promise<MediaStream> {
  const { mediaDevices } = navigator;
  const options: DisplayOptions = {
    video: keepsStills.get()
      ? { width: { max: slidePictureMaxWidth }, height: { max: 960 }, frameRate: { max: 2 } }
      : { width: 16, height: 16, frameRate: 1 },
    audio: {
      // The person goes on hearing the tab.
      suppressLocalAudioPlayback: false,
      ...(knowsConstraint(mediaDevices, "restrictOwnAudio") && { restrictOwnAudio: true }),
      // Made for voices in a room; they would cut music and distant speakers.
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
    },
    systemAudio: "include",
    selfBrowserSurface: "exclude",
    surfaceSwitching: "include",
    preferCurrentTab: false,
  };
  let stream: MediaStream;
  try {
    stream = await mediaDevices.getDisplayMedia(options);
  } catch (error) {
    throw new AudioSourceError("notShared", { cause: error });
  }
  const hasSound = stream.getAudioTracks().length > 0;
  const keepsPicture = keepsStills.get() && hasSound;
  if (!keepsPicture) for (const track of stream.getVideoTracks()) track.stop();
  if (!hasSound) throw new AudioSourceError("noSound");
  return keepsPicture ? stream : new MediaStream(stream.getAudioTracks());
}
