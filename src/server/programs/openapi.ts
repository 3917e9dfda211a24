import type { AnyRouter } from "@trpc/server";
import * as z from "zod/mini";
import { lectureContextInput } from "#server/ai/router.ts";
import type { ProcedureMeta } from "#server/trpc.ts";
import { errorCodes } from "#shared/errors.ts";
import type { TokenScope } from "#shared/programs.ts";
import { streamedProcedures } from "#shared/streamed-procedures.ts";
import { findAnswer, nothing } from "./answers.ts";
import { getNeededScope } from "./token-access.ts";

type Schema = z.core.JSONSchema.BaseSchema;

interface Declared {
  _def: {
    type: "query" | "mutation" | "subscription";
    inputs: z.core.$ZodType[];
    meta?: ProcedureMeta;
  };
}

type Operation = ReturnType<typeof describe> & { security: { token: TokenScope[] }[] };

/** Where a program may send less than a guest's page may. */
const inputsOfPrograms: Readonly<Record<string, z.core.$ZodType>> = {
  "ai.context": lectureContextInput,
};

/** Kept for pages of the version before. */
const deprecatedProcedures: ReadonlySet<string> = new Set(["lectures.appendEntries"]);

/**
 * Describes, as OpenAPI 3.1, the procedures of `router` that a personal token may call, with what each takes and answers.
 */
export function describeProcedures(router: AnyRouter, origin: string) {
  const procedures = Object.entries(router._def.procedures as Record<string, Declared>);
  const paths: Record<string, Partial<Record<"get" | "post", Operation>>> = {};
  for (const [path, { _def }] of procedures) {
    const scope = getNeededScope(path, _def.type);
    if (scope === null) continue;
    const security = _def.meta?.access === "public" ? [] : [{ token: [scope] }];
    const operation = { ...describe(path, _def), security };
    paths[`/${path}`] = _def.type === "query" ? { get: operation } : { post: operation };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Dualect",
      version: "1",
      description:
        "Procedures that a program may call with a personal token, which is made in the profile. A query takes its input as JSON text in the parameter `input`, a mutation in its body. Times are ISO 8601 unless a name ends in `Ms`.",
    },
    servers: [{ url: `${origin}/trpc` }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "dualect_…" } },
      responses: { Error: errorResponse, ErrorOfStream: streamErrorResponse },
    },
  };
}

const errorSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["data"],
      properties: {
        data: {
          type: "object",
          required: ["appCode", "httpStatus"],
          properties: {
            appCode: { enum: errorCodes },
            httpStatus: { type: "integer" },
            retryAfterSeconds: { type: "number" },
            issues: {
              type: "array",
              description: "Of `validation_failed`: what is wrong with the input.",
              items: {
                type: "object",
                required: ["field", "rule"],
                properties: {
                  field: {
                    type: "string",
                    description:
                      "Names and indexes with points between them; empty for the whole input.",
                  },
                  rule: { type: "string", description: "As zod calls it: `too_big`, for example." },
                },
              },
            },
          },
        },
      },
    },
  },
};

const toContent = (schema: object, mediaType = "application/json") => ({
  content: { [mediaType]: { schema } },
});

const errorResponse = {
  description: "A refusal, or a failure",
  headers: {
    "Retry-After": {
      description:
        "Where waiting helps: the seconds until the next attempt, as `retryAfterSeconds`.",
      schema: { type: "integer", minimum: 1 },
    },
  },
  ...toContent(errorSchema),
};

/** A call that streams is a batch of one. Without `trpc-accept` so is a refusal, unless nothing was called yet. */
const streamErrorResponse = {
  ...errorResponse,
  ...toContent({ anyOf: [errorSchema, { type: "array", items: errorSchema }] }),
};

function describe(path: string, { type, inputs }: Declared["_def"]) {
  const ofPrograms = inputsOfPrograms[path];
  const taken = ofPrograms ? [ofPrograms] : inputs;
  const isStreamed = streamedProcedures.has(path);
  return {
    operationId: path,
    tags: [path.split(".")[0]],
    ...(deprecatedProcedures.has(path) && { deprecated: true }),
    ...(isStreamed && {
      description:
        "The answer is streamed, as JSON lines of tRPC (https://trpc.io): each piece is the value of one line.",
    }),
    ...(taken.length > 0 && describeInput(taken, { isQuery: type === "query", isStreamed })),
    responses: {
      "200": { description: "The result", ...describeAnswer(path, isStreamed) },
      default: { $ref: `#/components/responses/${isStreamed ? "ErrorOfStream" : "Error"}` },
    },
  };
}

function describeInput(
  inputs: readonly z.core.$ZodType[],
  { isQuery, isStreamed }: { isQuery: boolean; isStreamed: boolean },
) {
  const schema = joinInputs(inputs);
  const required = !inputs.every((input) => z.safeParse(input, undefined).success);
  if (isQuery) {
    // Generators of clients know a parameter's `schema`; many ignore its `content`.
    const text = { type: "string", contentMediaType: "application/json", contentSchema: schema };
    return { parameters: [{ name: "input", in: "query", required, schema: text }] };
  }
  if (!isStreamed) return { requestBody: { ...toContent(schema), required } };
  return {
    parameters: [
      toConstant("batch", "query", "1"),
      toConstant("trpc-accept", "header", streamType),
    ],
    requestBody: {
      ...toContent({ type: "object", required: ["0"], properties: { 0: schema } }),
      required,
    },
  };
}

const streamType = "application/jsonl";

/** A parameter that always has the same value. */
const toConstant = (name: string, place: "query" | "header", value: string) => ({
  name,
  in: place,
  required: true,
  schema: { type: "string", enum: [value] },
});

function describeAnswer(path: string, isStreamed: boolean) {
  const answer = findAnswer(path);
  const data = answer === nothing ? null : toSchema(answer, "output");
  if (isStreamed) return toContent({ type: "string", "x-piece": data }, streamType);
  const result = data && { required: ["data"], properties: { data } };
  return toContent({
    type: "object",
    required: ["result"],
    properties: { result: { type: "object", ...result } },
  });
}

/** One schema for the inputs that a procedure has declared one after the other. */
function joinInputs(inputs: readonly z.core.$ZodType[]): Schema {
  const schemas = inputs.map((input) => toSchema(input, "input"));
  const [first = {}] = schemas;
  return schemas.length === 1 ? first : { allOf: schemas };
}

function toSchema(type: z.core.$ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      // A later version may answer more.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}
