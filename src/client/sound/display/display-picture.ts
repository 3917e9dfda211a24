import { Signal } from "#client/lib/observable.ts";

/** The picture of the tab or screen whose sound is captured. */
export interface DisplayPicture {
  readonly track: MediaStreamTrack;
  /** Length of the sound captured since, ms. It also grows while the page is hidden, where timers hardly run. */
  readonly elapsedMs: Signal<number>;
}

/** Whether the next display is asked for a picture of which something can be read. Ends with the page. */
export const keepsStills = new Signal(false);

/** Null while no display is captured, or its picture is not wanted. */
export const displayPicture = new Signal<DisplayPicture | null>(null);
