import { AppError } from "#shared/errors.ts";

/** A revoked token must end an open stream within a second. */
const checkIntervalMs = 500;

/**
 * Passes `stream` on until `isLive`, which is called every half second, says no. A piece that does not come holds nothing
 * up: the stream behind it is left once it comes.
 *
 * @throws AppError `unauthenticated` once the token is not live; what `isLive` throws.
 */
export async function* endWithToken<T>(
  stream: AsyncIterable<T>,
  isLive: () => Promise<boolean>,
): AsyncGenerator<T> {
  const pieces = stream[Symbol.asyncIterator]();
  const { promise: end, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const checkLater = () => {
    timer = setTimeout(
      () =>
        isLive().then((live) => {
          if (live) checkLater();
          else reject(new AppError("unauthenticated"));
        }, reject),
      checkIntervalMs,
    );
  };
  // Between two pieces nobody waits for it.
  end.catch(() => {});
  checkLater();
  try {
    for (;;) {
      const next = await Promise.race([pieces.next(), end]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    void Promise.resolve(pieces.return?.()).catch(() => {});
  }
}
