import type { SettingName } from "#worker/settings.ts";
import type { Exchange } from "./exchange.ts";
import type { Settings } from "./settings.ts";
import type { Sound } from "./sound.ts";

/** A service, or the stand-in in its place. */
export interface Side {
  settings: Settings;
  /** Sound is sent so many times faster than real time. */
  pace: number;
  /** Prepares the stand-in under `prefix`; does nothing with the service itself. */
  control(prefix: string, body: object): Promise<void>;
  isStandIn: boolean;
  /** Where a stream at `url` may be opened that gets no sound: a stand-in that waits for none for long. */
  toIdleUrl(url: string): string;
}

export interface Cost {
  /** What is done. */
  work: string;
  /** US dollars at most; with what they are computed from. */
  dollars: number;
  basis: string;
}

export interface RehearsedService {
  name: string;
  /** Those of the worker that choose it. */
  settings: readonly SettingName[];
  /** The first one that is missing without which it cannot be asked, or null. */
  findMissing(isSet: (name: SettingName) => boolean): SettingName | null;
  estimateCost(settings: Settings, seconds: number): Cost;
  /**
   * Has the same conversations with either side.
   *
   * @throws when the service cannot be reached
   */
  run(side: Side, sound: Sound): Promise<Exchange[]>;
}

/** No service knows it, and the stand-ins refuse keys that begin so. */
export const wrongKey = "bad-key-of-a-rehearsal";
/** The stand-ins refuse models that begin so. */
export const wrongModel = "no-such-model";
