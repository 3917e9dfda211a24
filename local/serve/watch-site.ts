import { realTimer, type Timer } from "./hourly.ts";

const intervalMs = 20_000;
const failuresMax = 3;

/** Whether anything answers there, the site's own failures included. */
const isAnswered = (url: string): Promise<boolean> =>
  fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(intervalMs) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return true;
    },
    () => false,
  );

/**
 * Calls `onDead` when the runtime has not answered three times in a row: it has ended, and whatever started this process
 * has to start it again.
 *
 * @returns ends it.
 */
export function watchSite(
  url: string,
  onDead: () => void,
  { timer = realTimer, ask = isAnswered }: { timer?: Timer; ask?: typeof isAnswered } = {},
): () => void {
  let failures = 0;
  let cancel = () => {};
  let isClosed = false;
  const check = async () => {
    failures = (await ask(url)) ? 0 : failures + 1;
    if (isClosed) return;
    if (failures < failuresMax) schedule();
    else onDead();
  };
  const schedule = () => {
    cancel = timer.after(intervalMs, () => void check());
  };
  schedule();
  return () => {
    isClosed = true;
    cancel();
  };
}
