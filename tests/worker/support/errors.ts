/** The vocabulary's code that a call was refused with, or "no error". */
export const getErrorCode = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no error",
    (error) => error.data?.appCode ?? String(error),
  );

/** What a refused call answers beside its code. */
export const getErrorData = (call: Promise<unknown>): Promise<Record<string, unknown>> =>
  call.then(
    () => ({ appCode: "no error" }),
    (error) => error.data,
  );
