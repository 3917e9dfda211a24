import Ajv from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { appRouter, liveRouter } from "#server/app-router.ts";
import { describeProcedures } from "#server/programs/openapi.ts";
import { getNeededScope } from "#server/programs/token-access.ts";

const description = describeProcedures(appRouter, "https://dualect.test");
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe("the description of what programs may call", () => {
  it("has exactly those procedures, each with its method and scope", () => {
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<
        string,
        { _def: { type: "query" | "mutation" } }
      >,
    );
    const expected = procedures.flatMap(([path, { _def }]) => {
      const scope = getNeededScope(path, _def.type);
      const method = _def.type === "query" ? "get" : "post";
      return scope === null ? [] : [{ path: `/${path}`, method, scope }];
    });
    const found = operations.map(({ path, method, operation }) => {
      const [scope] = operation.security[0]?.token ?? [];
      return { path, method, scope };
    });
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(40);
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
      expect(operation.responses["200"].description).toBeTruthy();
      expect(operation.responses.default.$ref).toBe("#/components/responses/Error");
    }
    expect(description.components.responses.Error.description).toBeTruthy();
    // Schemas refer to nothing outside themselves, and JSON keeps all of them.
    expect(JSON.stringify(description).match(/"\$ref":"(?!#\/components\/responses\/Error)/g)).toBe(
      null,
    );
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
  });

  it("has schemas that a validator of JSON Schema 2020-12 reads, and that accept and refuse", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const schemas = operations.flatMap(({ path, operation }) => {
      const found: object[] = [];
      JSON.stringify(operation, (key, value) => {
        if (key === "schema") found.push(value);
        return value;
      });
      return found.map((schema) => ({ path, schema }));
    });
    const validators = new Map(schemas.map(({ path, schema }) => [path, ajv.compile(schema)]));
    expect(validators.size).toBe(operations.length);
    const find = (path: string) => {
      const [parameter] = description.paths[path]?.get?.parameters ?? [];
      return ajv.compile(parameter?.content["application/json"]?.schema ?? false);
    };
    const search = find("/lectures.search");
    expect(search({ query: "light" })).toBe(true);
    expect(search({})).toBe(false);
    expect(search({ query: "x".repeat(201) })).toBe(false);
  });
});
