/** Time as it passes; tests have their own. */
export interface Timer {
  now(): number;
  /** Returns the function that ends it. */
  after(ms: number, run: () => void): () => void;
}

export const realTimer: Timer = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const hourMs = 3_600_000;
const minuteMs = 60_000;

/**
 * Runs `job` at `minute` of each hour (UTC), as the cron trigger of wrangler.toml does; one that takes longer than an hour
 * leaves out the next.
 *
 * @param onError what to do when it fails: the next hour's is run.
 * @returns ends it, after a job that is running.
 */
export function runHourly(
  minute: number,
  job: () => Promise<void>,
  onError: (error: unknown) => void,
  timer: Timer = realTimer,
): () => Promise<void> {
  let running = Promise.resolve();
  let cancel = () => {};
  const schedule = () => {
    const at = minute * minuteMs;
    const past = (timer.now() - at) % hourMs;
    cancel = timer.after(hourMs - past, () => {
      running = job()
        .catch(onError)
        .then(() => {
          if (!isClosed) schedule();
        });
    });
  };
  let isClosed = false;
  schedule();
  return async () => {
    isClosed = true;
    cancel();
    await running;
  };
}
