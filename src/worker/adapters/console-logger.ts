import type { LogFields, Logger } from "#server/ports.ts";

/** One JSON line an event, through the console: that is what Workers Logs reads. */
export const consoleLogger: Logger = {
  info: (event, fields) => console.info(line("info", event, fields)),
  warn: (event, fields) => console.warn(line("warn", event, fields)),
  error: (event, fields) => console.error(line("error", event, fields)),
};

const line = (level: string, event: string, fields: LogFields | undefined) =>
  JSON.stringify({ level, event, ...fields });
