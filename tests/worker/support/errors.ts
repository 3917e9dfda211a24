import { EnvironmentError, readEnv } from "#worker/env.ts";

/** What `readEnv` finds wrong with the bindings. */
export function listProblems(bindings: object): string[] {
  try {
    readEnv(bindings as Cloudflare.Env);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
}

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
