export interface Log {
  warn(event: string, fields?: Record<string, string | number | boolean>): void;
}

export const browserLog: Log = {
  warn: (event, fields) => console.warn(event, fields ?? {}),
};
