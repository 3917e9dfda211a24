import { toAppError } from "#server/errors.ts";

/** The error code of a call, or "no error". */
export const getErrorCode = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no error",
    (error) => toAppError(error).code,
  );
