import type { LogFields, Logger } from "#server/ports.ts";

/** One JSON line an event, through the console: that is what Workers Logs reads. */
export const consoleLogger: Logger = {
  info: (event, fields) => console.info(formatLine("info", event, fields)),
  warn: (event, fields) => console.warn(formatLine("warn", event, fields)),
  error: (event, fields) => console.error(formatLine("error", event, fields)),
};

const formatLine = (level: string, event: string, fields: LogFields | undefined) =>
  JSON.stringify({ level, event, ...fields });
