import * as z from "zod/mini";
import { type ErrorCode, errorCodes } from "../../../shared/errors.ts";

const errorBody = z.object({ error: z.object({ code: z.enum(errorCodes) }) });

/** Asks over HTTP why `path` refuses; see `RelayTransport.refusal`. */
export async function refusal(path: string): Promise<ErrorCode | null> {
  try {
    const response = await fetch(path, { headers: { accept: "application/json" } });
    if (response.ok) return null;
    const parsed = errorBody.safeParse(await response.json());
    return parsed.success ? parsed.data.error.code : null;
  } catch {
    return null;
  }
}
