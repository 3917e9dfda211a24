import type { MicrophoneDevice } from "./audio-ports.ts";

/** Which input a recording uses: the chosen one, or one that has replaced it. Null is the system's default. */
export class DeviceChoice {
  /** The chosen device that another one has replaced; `isGone`: the browser does not list it. */
  #left: { id: string; isGone: boolean } | null = null;
  /** The system's default when it was opened; null: not known. */
  #defaultId: string | null = null;
  #chosenId: string | null;
  #openId: string | null;

  constructor(deviceId: string | null) {
    this.#chosenId = deviceId;
    this.#openId = deviceId;
  }

  get chosenId(): string | null {
    return this.#chosenId;
  }
  /** The device that is open, or was last. */
  get openId(): string | null {
    return this.#openId;
  }

  /** True if another one was chosen before. */
  choose(deviceId: string | null): boolean {
    this.#left = null;
    if (deviceId === this.#chosenId) return false;
    this.#chosenId = deviceId;
    return true;
  }

  onOpened(deviceId: string | null): void {
    this.#openId = deviceId;
    this.#defaultId = null;
  }

  noteDefault(devices: readonly MicrophoneDevice[]): void {
    this.#defaultId = devices[0]?.id ?? null;
  }

  /** `deviceId` takes the place of the chosen device. True if it is another one. */
  replaceChosen(deviceId: string | null): boolean {
    const left = this.#chosenId;
    if (!this.choose(deviceId)) return false;
    if (left !== null) this.#left = { id: left, isGone: false };
    return true;
  }

  /** The inputs to try, in order, after the open one has ended. */
  listAfterEnd(devices: readonly MicrophoneDevice[]): (string | null)[] {
    // The person may have chosen another one since.
    const first = this.#chosenId === this.#openId ? null : this.#chosenId;
    return [...new Set([first, null, ...devices.map(({ id }) => id)])];
  }

  /** The same after the open one has given nothing, `restarts` times before: the one that it is, and then the next ones. */
  listAfterStall(devices: readonly MicrophoneDevice[], restarts: number): (string | null)[] {
    const inputs = [...new Set([this.#openId, null, ...devices.map(({ id }) => id)])];
    const start = restarts % inputs.length;
    return [...inputs.slice(start), ...inputs.slice(0, start)];
  }

  /** The chosen device that is listed again after it was gone; null: none is. */
  findReturned(devices: readonly MicrophoneDevice[]): string | null {
    const left = this.#left;
    if (left === null) return null;
    const isListed = devices.some(({ id }) => id === left.id);
    if (left.isGone && isListed) return left.id;
    left.isGone ||= !isListed;
    return null;
  }

  /** Whether the system has another default than the one that is open, `label`. */
  isDefaultChanged([first]: readonly MicrophoneDevice[], label: string): boolean {
    if (first === undefined || this.#openId !== null || this.#chosenId !== null) return false;
    if (this.#defaultId === null || this.#defaultId === first.id) return false;
    this.#defaultId = first.id;
    // Of Chromium's default it has a prefix.
    return first.label === "" || !label.endsWith(first.label);
  }
}
