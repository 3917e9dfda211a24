/** The JSON of a text frame; null if it is none. */
export function parseFrame(frame: unknown): unknown {
  if (typeof frame !== "string") return null;
  try {
    return JSON.parse(frame);
  } catch {
    return null;
  }
}
