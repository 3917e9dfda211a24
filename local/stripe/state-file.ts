import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { type State, stateSchema } from "./model.ts";

/** What was kept cannot be used. */
class StateFileError extends Error {
  override readonly name = "StateFileError";
}

/**
 * What was kept in `file`; null where there is none yet.
 *
 * @throws StateFileError when it is damaged, or of another version.
 */
export function readState(file: string): State | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new StateFileError(
      `${file} holds the payments of the embedded Stripe and cannot be read: ${why.split("\n")[0]}. Delete it to begin without plans and payments.`,
      { cause: error },
    );
  }
}

/** Replaces the file as a whole: a crash leaves the old one or the new one. */
export function writeState(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
}
