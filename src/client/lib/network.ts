import { Signal } from "./observable.ts";

/**
 * False while the site cannot be reached because the device reports no network. A site on this machine needs none: then it
 * says itself whether it is there.
 */
export const isOnline = new Signal(true);

/** The site may be started and stopped while there is no network. */
const checkEveryMs = 15_000;
const answerTimeoutMs = 3_000;

const hasNoNetwork = (): boolean => globalThis.navigator?.onLine === false;

const isOnThisMachine = (): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(location.hostname);

const doesAnswer = (): Promise<boolean> =>
  fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(answerTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

let timer: ReturnType<typeof setTimeout> | undefined;

async function update(): Promise<void> {
  clearTimeout(timer);
  if (!hasNoNetwork()) isOnline.set(true);
  else if (!isOnThisMachine()) isOnline.set(false);
  else {
    const answers = await doesAnswer();
    if (!hasNoNetwork()) return;
    isOnline.set(answers);
    clearTimeout(timer);
    timer = setTimeout(update, checkEveryMs);
  }
}

for (const event of ["online", "offline"])
  globalThis.window?.addEventListener(event, () => void update());
void update();
