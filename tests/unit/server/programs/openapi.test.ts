import Ajv from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { appRouter, liveRouter } from "#server/app-router.ts";
import { describeProcedures } from "#server/programs/openapi.ts";
import { getNeededScope } from "#server/programs/token-access.ts";
import type { ProcedureMeta } from "#server/trpc.ts";
import { streamedProcedures } from "#shared/streamed-procedures.ts";
import { cases, type Known } from "#tests/worker/tenancy/cases.ts";

const description = describeProcedures(appRouter, "https://dualect.test");
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: "query" | "mutation"; meta: ProcedureMeta } }
  >,
);

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type: string; enum?: string[]; contentSchema?: object };
}

/** The parts of an operation that any reader of OpenAPI knows. */
interface Operation {
  operationId: string;
  security: { token: string[] }[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>;
}

const operations = Object.entries(
  JSON.parse(JSON.stringify(description.paths)) as Record<string, Record<string, Operation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const named = operations.map((one) => [one.path.slice(1), one] as const);

const ajv = new Ajv({ strict: false, validateFormats: false });

/** The schema of the input, as a program sends it; null without one. */
function getInputSchema({ parameters = [], requestBody }: Operation): object | null {
  const text = parameters.find(({ name }) => name === "input");
  return text?.schema.contentSchema ?? requestBody?.content["application/json"]?.schema ?? null;
}

const find = (path: string): Operation => {
  const found = operations.find((one) => one.path === path);
  if (!found) throw new Error(`${path} is not described`);
  return found.operation;
};

/** Ids of an owner, which any UUIDs may be. */
const owner = new Proxy({} as Known, {
  get: (_, name) => {
    if (name === "entryIds") return [crypto.randomUUID(), crypto.randomUUID()];
    return name === "storedHash" ? "0".repeat(64) : crypto.randomUUID();
  },
});

describe("the description of what programs may call", () => {
  it("has exactly those procedures, each with its method and scope; what is public needs no token", () => {
    const expected = procedures.flatMap(([path, { _def }]) => {
      const scope = getNeededScope(path, _def.type);
      const method = _def.type === "query" ? "get" : "post";
      const security = _def.meta.access === "public" ? [] : [{ token: [scope] }];
      return scope === null ? [] : [{ path: `/${path}`, method, security }];
    });
    const found = operations.map(({ path, method, operation: { security } }) => ({
      path,
      method,
      security,
    }));
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(40);
    expect(find("/site.info").security).toEqual([]);
  });

  it("leaves out what the deployment does not have", () => {
    const live = describeProcedures(liveRouter, "https://dualect.test");
    for (const path of Object.keys(live.paths)) expect(path).not.toContain("simulate");
  });

  it("keeps OpenAPI's rules: ids that are unique, responses with descriptions, references that lead somewhere", () => {
    expect(description.openapi).toMatch(/^3\.1\.\d$/);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { method, operation } of operations) {
      expect("requestBody" in operation && method === "get").toBe(false);
      expect(operation.responses["200"]).toHaveProperty("description");
      const isStreamed = "application/jsonl" in (operation.responses["200"]?.content ?? {});
      const name = isStreamed ? "ErrorOfStream" : "Error";
      expect(operation.responses.default).toEqual({ $ref: `#/components/responses/${name}` });
    }
    for (const { description: text } of Object.values(description.components.responses))
      expect(text).toBeTruthy();
    // Schemas refer to nothing outside themselves, and JSON keeps all of them.
    expect(JSON.stringify(description).match(/"\$ref":"(?!#\/components\/responses\/Error)/g)).toBe(
      null,
    );
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
  });

  it.each(named)("%s: its answer is described", (path, { operation }) => {
    const content = operation.responses["200"]?.content ?? {};
    if (streamedProcedures.has(path)) {
      const piece = content["application/jsonl"]?.schema["x-piece"];
      expect(Object.keys(piece as object)).not.toEqual([]);
      ajv.compile(piece as object);
      return;
    }
    const validate = ajv.compile(content["application/json"]?.schema ?? false);
    expect(validate({})).toBe(false);
    expect(validate({ result: { data: Symbol("of no type") } })).toBe(
      !JSON.stringify(content).includes('"data"'),
    );
  });

  it.each(named)("%s: a valid input fits, and none is left out that is needed", (path, one) => {
    const schema = getInputSchema(one.operation);
    const input = cases[path]?.input(owner);
    expect(schema === null).toBe(input === undefined);
    if (schema === null) return;
    const sent = streamedProcedures.has(path) ? { 0: input } : input;
    const validate = ajv.compile(schema);
    expect([validate(sent), validate.errors]).toEqual([true, null]);
    expect(validate("no object")).toBe(false);
    const { parameters = [], requestBody } = one.operation;
    const [isNeeded] = [
      ...parameters.filter(({ name }) => name === "input").map(({ required }) => required),
      requestBody?.required,
    ];
    expect(isNeeded).toBe(true);
  });

  it("declares every parameter by a schema, which all generators of clients know", () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.length).toBeGreaterThan(20);
    for (const parameter of parameters) {
      expect(parameter).not.toHaveProperty("content");
      expect(parameter.schema.type).toBe("string");
    }
    const search = ajv.compile(getInputSchema(find("/lectures.search")) ?? false);
    expect(search({ query: "light" })).toBe(true);
    expect(search({})).toBe(false);
    expect(search({ query: "x".repeat(201) })).toBe(false);
  });

  it("names nothing that only guests may send", () => {
    const validate = ajv.compile(getInputSchema(find("/ai.context")) ?? false);
    expect(validate({ lectureId: crypto.randomUUID() })).toBe(true);
    expect(validate({ text: "Light bends.", spokenIn: "en" })).toBe(false);
  });

  it("says that an error may name a time to wait, and what is wrong with an input", () => {
    const { headers, content } = description.components.responses.Error;
    expect(headers["Retry-After"].schema.type).toBe("integer");
    const validate = ajv.compile(content["application/json"]?.schema ?? false);
    const data = { appCode: "validation_failed", httpStatus: 400 };
    const issue = { field: "query", rule: "too_big", maximum: 200 };
    expect(validate({ error: { data: { ...data, issues: [issue] } } })).toBe(true);
    expect(validate({ error: { data: { ...data, issues: [{ rule: "too_big" }] } } })).toBe(false);
  });
});
