import { appRouter } from "#server/app-router.ts";
import type { ProcedureMeta } from "#server/trpc.ts";

export interface ProcedureInfo {
  path: string;
  type: "query" | "mutation" | "subscription";
  access: ProcedureMeta["access"] | undefined;
}

/** All procedures, read from the router. */
export const procedures: ProcedureInfo[] = Object.entries(
  appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: ProcedureInfo["type"]; meta?: ProcedureMeta } }
  >,
).map(([path, { _def }]) => ({ path, type: _def.type, access: _def.meta?.access }));
