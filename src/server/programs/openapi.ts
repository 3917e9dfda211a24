import type { AnyRouter } from "@trpc/server";
import * as z from "zod/mini";
import { errorCodes } from "#shared/errors.ts";
import type { TokenScope } from "#shared/programs.ts";
import { streamedProcedures } from "#shared/streamed-procedures.ts";
import { getNeededScope } from "./token-access.ts";

type Schema = z.core.JSONSchema.BaseSchema;

interface Declared {
  _def: {
    type: "query" | "mutation" | "subscription";
    inputs: z.core.$ZodType[];
    output?: z.core.$ZodType;
  };
}

type Operation = ReturnType<typeof describe> & { security: { token: TokenScope[] }[] };

/**
 * Describes, as OpenAPI 3.1, the procedures of `router` that a personal token may call. Inputs are those of their schemas;
 * outputs only where a procedure declares one.
 */
export function describeProcedures(router: AnyRouter, origin: string) {
  const procedures = Object.entries(router._def.procedures as Record<string, Declared>);
  const paths: Record<string, Partial<Record<"get" | "post", Operation>>> = {};
  for (const [path, { _def }] of procedures) {
    const scope = getNeededScope(path, _def.type);
    if (scope === null) continue;
    const operation = { ...describe(path, _def), security: [{ token: [scope] }] };
    paths[`/${path}`] = _def.type === "query" ? { get: operation } : { post: operation };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Dualect",
      version: "1",
      description:
        "Procedures that a program may call with a personal token, which is made in the profile. A query takes its input as JSON in the parameter `input`, a mutation in its body. Times are ISO 8601 unless a name ends in `Ms`.",
    },
    servers: [{ url: `${origin}/trpc` }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "dualect_…" } },
      responses: { Error: { description: "A refusal, or a failure", ...toContent(errorSchema) } },
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
          },
        },
      },
    },
  },
};

const toContent = (schema: object, mediaType = "application/json") => ({
  content: { [mediaType]: { schema } },
});

function describe(path: string, { type, inputs, output }: Declared["_def"]) {
  const input = joinInputs(inputs);
  const isStreamed = streamedProcedures.has(path);
  const data = output ? toSchema(output, "output") : {};
  const result = {
    type: "object",
    required: ["result"],
    properties: { result: { type: "object", properties: { data } } },
  };
  return {
    operationId: path,
    tags: [path.split(".")[0]],
    ...(isStreamed && {
      description:
        'Streams JSON lines of tRPC: call it with `?batch=1`, the body `{"0": input}` and the header `trpc-accept: application/jsonl`.',
    }),
    ...(input &&
      type === "query" && {
        parameters: [{ name: "input", in: "query", ...toContent(input), ...isRequired(input) }],
      }),
    ...(input && type !== "query" && { requestBody: { ...toContent(input), required: true } }),
    responses: {
      "200": {
        description: "The result",
        ...(isStreamed ? toContent({ type: "string" }, "application/jsonl") : toContent(result)),
      },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

const isRequired = ({ required }: Schema) => ({ required: (required?.length ?? 0) > 0 });

/** One schema for the inputs that a procedure has declared one after the other; null without any. */
function joinInputs(inputs: readonly z.core.$ZodType[]): Schema | null {
  const [first, ...others] = inputs.map((input) => toSchema(input, "input"));
  if (!first) return null;
  return others.length === 0 ? first : { allOf: [first, ...others] };
}

function toSchema(type: z.core.$ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return schema;
}
