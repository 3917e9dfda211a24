import type { Log } from "./ports.ts";

export const browserLog: Log = {
  warn: (event, fields) => console.warn(event, fields ?? {}),
};
