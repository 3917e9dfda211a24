import { neon, neonConfig } from "@neondatabase/serverless";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SqlBackend } from "#local/postgres/backend.ts";
import { createNeonStandIn } from "#local/postgres/stand-in.ts";
import { serve } from "#tests/unit/local/serve.ts";
import { connectionString, pglite } from "./backends.ts";

let backend: SqlBackend;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  backend = await pglite.open();
  await backend.run({ query: "create table marks (id int primary key)", params: [] });
});
afterAll(() => backend.close());
beforeEach(async () => {
  server = await serve(createNeonStandIn(backend, { maxBytes: 1_000 }));
  neonConfig.fetchEndpoint = `${server.url}/neon/sql`;
});
afterEach(() => server.close());

const wellFormed = {
  "neon-connection-string": connectionString,
  "neon-raw-text-output": "true",
  "neon-array-mode": "true",
};

function post(body: unknown, headers: Record<string, string> = wellFormed): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(`${server.url}/neon/sql`, { method: "POST", headers, body: text });
}

const select = { query: "select 1 as n, null as z, 't' as t", params: [] };

describe("answers", () => {
  test("answers a single query with arrays and with objects", async () => {
    const answer = await post(select);
    expect(answer.status).toBe(200);
    const body = await answer.json();
    expect(body).toMatchObject({
      command: "SELECT",
      rowCount: 1,
      rowAsArray: true,
      rows: [["1", null, "t"]],
    });
    expect(body.fields[0]).toEqual({
      name: "n",
      dataTypeID: 23,
      tableID: 0,
      columnID: 0,
      dataTypeSize: 4,
      dataTypeModifier: -1,
      format: "text",
    });
    const asObjects = await post(select, { ...wellFormed, "neon-array-mode": "false" });
    expect(await asObjects.json()).toMatchObject({
      rowAsArray: false,
      rows: [{ n: "1", z: null, t: "t" }],
    });
  });

  test("accepts a query without params, an empty query and an empty batch", async () => {
    expect((await post({ query: "select 1" })).status).toBe(200);
    expect(await (await post({ query: "" })).json()).toMatchObject({ rows: [], fields: [] });
    expect(await (await post({ queries: [] })).json()).toEqual({ results: [] });
  });

  test("sends every field of an error, null if Postgres did not report it", async () => {
    const answer = await post({ query: "insert into marks values (null)" });
    expect(answer.status).toBe(400);
    const body = await answer.json();
    expect(body).toMatchObject({
      message: expect.stringContaining("null value"),
      code: "23502",
      severity: "ERROR",
      schema: "public",
      table: "marks",
      column: "id",
      hint: null,
      position: null,
      constraint: null,
      internalQuery: null,
      dataType: null,
    });
    expect(Object.keys(body)).toHaveLength(17);
  });
});

describe("rejected requests", () => {
  test.each([
    ["invalid JSON", "{"],
    ["an array", []],
    ["no query", {}],
    ["a query that is no text", { query: 1 }],
    ["a number as parameter", { query: "select $1::int", params: [1] }],
    ["a batch that is no list", { queries: "select 1" }],
    ["a copy that waits for data", { query: "COPY marks\nFROM STDIN" }],
    ["a batch with a bad query", { queries: [select, { params: [] }] }],
  ])("%s", async (_, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.any(String), code: null });
  });

  test.each([
    ["neon-connection-string", undefined],
    ["neon-connection-string", "nonsense"],
    ["neon-connection-string", "postgres://localhost/x"],
    ["neon-connection-string", "mysql://user@localhost/x"],
    ["neon-raw-text-output", undefined],
    ["neon-array-mode", "yes"],
    ["neon-batch-isolation-level", "serializable; drop table marks"],
    ["neon-batch-read-only", "1"],
    ["neon-batch-deferrable", ""],
  ])("header %s: %s", async (name, value) => {
    const { [name]: _, ...rest } = wellFormed as Record<string, string>;
    const answer = await post(
      { queries: [select] },
      value === undefined ? rest : { ...rest, [name]: value },
    );
    expect(answer.status).toBe(400);
    expect((await answer.json()).message).toContain(name);
  });

  test("limits the size of bodies and answers", async () => {
    expect((await post({ query: `select '${"x".repeat(1_000)}'` })).status).toBe(413);
    expect((await post({ query: "select repeat('x', 1000)" })).status).toBe(507);
    expect((await post(select)).status).toBe(200);
  });

  test("rejects unknown paths and methods", async () => {
    expect((await fetch(`${server.url}/neon/other`, { method: "POST" })).status).toBe(404);
    const got = await fetch(`${server.url}/neon/sql`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("answers 503 if the database cannot be reached", async () => {
    const unreachable = await serve(
      createNeonStandIn({
        run: () => Promise.reject(new Error("connect ECONNREFUSED")),
        batch: () => Promise.reject(new Error("connect ECONNREFUSED")),
        close: async () => {},
      }),
    );
    neonConfig.fetchEndpoint = `${unreachable.url}/neon/sql`;
    await expect(neon(connectionString)`select 1`).rejects.toThrow("HTTP status 503");
    await unreachable.close();
  });
});
