/** The error code of a refused call, or "no error". */
export const getErrorCode = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no error",
    (error) => error.data?.appCode ?? String(error),
  );

/** The data of a refused call's answer. */
export const getErrorData = (call: Promise<unknown>): Promise<Record<string, unknown>> =>
  call.then(
    () => ({ appCode: "no error" }),
    (error) => error.data,
  );
