import { importProgram } from "#bench/install-program.ts";

/** What we use of Lighthouse, which `npm ci` does not install: it is 160 MB with what it needs. */

interface Flags {
  port: number;
  output: "json";
  logLevel: "error";
  onlyCategories: string[];
  clearStorageTypes: string[];
}

interface Audit {
  title: string;
  score: number | null;
  numericValue?: number;
}

export interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** µs. */
  ts: number;
  /** How long the thread had a processor, µs. */
  tdur?: number;
  args: { data?: { documentLoaderURL?: string } };
}

interface Result {
  lhr: {
    audits: Record<string, Audit | undefined>;
    categories: Record<
      string,
      { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
    >;
    runtimeError?: { code: string; message: string };
    finalDisplayedUrl: string;
  };
  artifacts: { Trace: { traceEvents: TraceEvent[] } };
}

interface Lighthouse {
  default(url: string, flags: Flags, config: unknown): Promise<Result | undefined>;
  desktopConfig: unknown;
}

export const loadLighthouse = async (): Promise<Lighthouse> =>
  (await importProgram("lighthouse", "13.5.0")) as Lighthouse;
