import type { LogFields, Logger } from "#server/ports.ts";

/** Writes one JSON line per event to the console, which Workers Logs reads. */
export const consoleLogger: Logger = {
  info: (event, fields) => console.info(formatLine("info", event, fields)),
  warn: (event, fields) => console.warn(formatLine("warn", event, fields)),
  error: (event, fields) => console.error(formatLine("error", event, fields)),
};

const formatLine = (level: string, event: string, fields: LogFields | undefined) =>
  JSON.stringify({ level, event, ...fields });
