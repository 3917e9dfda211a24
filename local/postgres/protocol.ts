import * as z from "zod";
import {
  type Field,
  isDatabaseError,
  isolationLevels,
  type SqlResult,
  type TransactionOptions,
} from "./backend.ts";

// Neon's HTTP `/sql` protocol: requests, results and errors.

/** Rejected, because it would wait forever for data that an HTTP request cannot send. */
const copyFromStdin = /^\s*copy\b[\s\S]*\bfrom\s+stdin\b/i;

const statement = z.object({
  query: z.string().refine((text) => !copyFromStdin.test(text)),
  params: z.array(z.nullable(z.string())).default([]),
});

export const sqlRequest = z.union([
  z.object({ queries: z.array(statement) }).transform(({ queries }) => ({ batch: queries })),
  statement.transform((single) => ({ single })),
]);

const flag = z.optional(z.enum(["true", "false"]).transform((text) => text === "true"));

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    (url?.protocol === "postgres:" || url?.protocol === "postgresql:") &&
    url.username !== "" &&
    url.hostname !== "" &&
    url.pathname.length > 1
  );
}

/** Headers of a request. Node provides their names in lower case. */
export const sqlHeaders = z
  .object({
    "neon-connection-string": z
      .string("header is missing")
      .refine(isPostgresUrl, "must name user, host and database"),
    // Without it Neon would send numbers, booleans and JSON as JSON values; our driver always sets it.
    "neon-raw-text-output": z.literal("true", "must be true"),
    "neon-array-mode": flag.default(false),
    "neon-batch-isolation-level": z.optional(
      z.enum(
        Object.keys(isolationLevels) as [
          keyof typeof isolationLevels,
          ...(keyof typeof isolationLevels)[],
        ],
      ),
    ),
    "neon-batch-read-only": flag,
    "neon-batch-deferrable": flag,
  })
  .transform((headers) => ({
    arrayMode: headers["neon-array-mode"],
    transaction: {
      isolationLevel: headers["neon-batch-isolation-level"],
      readOnly: headers["neon-batch-read-only"],
      deferrable: headers["neon-batch-deferrable"],
    } satisfies TransactionOptions,
  }));

function toObject(fields: Field[], row: (string | null)[]): Record<string, string | null> {
  return Object.fromEntries(fields.map((field, column) => [field.name, row[column] ?? null]));
}

/** Encodes a result in Neon's format. */
export function encodeResult(result: SqlResult, arrayMode: boolean) {
  return {
    command: result.command,
    rowCount: result.rowCount,
    rowAsArray: arrayMode,
    fields: result.fields.map((field) => ({ ...field, format: "text" as const })),
    rows: arrayMode ? result.rows : result.rows.map((row) => toObject(result.fields, row)),
  };
}

const errorFields = [
  "code",
  "detail",
  "hint",
  "position",
  "internalPosition",
  "internalQuery",
  "severity",
  "where",
  "table",
  "column",
  "schema",
  "dataType",
  "constraint",
  "file",
  "line",
  "routine",
] as const;

/** Encodes an error in Neon's format: fields that Postgres did not report are null. */
export function encodeError(error: unknown): { message: string } & Record<string, string | null> {
  const databaseError = isDatabaseError(error) ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(
    { message },
    Object.fromEntries(errorFields.map((name) => [name, databaseError?.[name] ?? null])),
  );
}
