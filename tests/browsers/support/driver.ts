/** What the journeys need of a browser. */
export interface Driver {
  /** Name and version, as the browser tells them. */
  readonly version: string;
  /** Opens `url`; resolves once its document is there. */
  navigate(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Calls the function whose source is `code` in the page, with values that JSON can hold. */
  call(code: string, args: readonly unknown[]): Promise<unknown>;
  /** A real press of the mouse at a point of the window. */
  click(x: number, y: number): Promise<void>;
  /** Real presses of keys, one after the other: characters, or names of `keys`; with `held` held down meanwhile. */
  press(keys: readonly string[], held?: string): Promise<void>;
  /** What the page has thrown and nobody caught, as far as the browser tells it. */
  readonly uncaught: readonly string[];
  deleteCookies(): Promise<void>;
  /** The window as a PNG. */
  takeScreenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** WebDriver's names of keys, which BiDi has too. */
export const keys = {
  backspace: "\uE003",
  tab: "\uE004",
  enter: "\uE007",
  shift: "\uE008",
  control: "\uE009",
  escape: "\uE00C",
  space: " ",
  arrowDown: "\uE015",
} as const;

/** Calls `run` until it returns something other than undefined. An error counts as nothing, until the time is over. */
export async function until<T>(
  what: string,
  run: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 30_000,
): Promise<T> {
  // Not the clock of the machine: a virtual one that was halted sets it forward.
  const end = performance.now() + timeoutMs;
  let last: unknown;
  do {
    try {
      const found = await run();
      if (found !== undefined) return found;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (performance.now() < end);
  const cause = last instanceof Error ? `: ${last.message}` : "";
  throw new Error(`Not within ${timeoutMs / 1_000} s: ${what}${cause}`);
}
