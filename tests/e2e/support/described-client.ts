import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { OpenAPIClientAxios } from "openapi-client-axios";
import { createAccount } from "./accounts.ts";
import { password } from "./journey.ts";
import type { Site } from "./site.ts";

type Schema = Record<string, unknown>;

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema & { contentSchema?: Schema } }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: {
    200: { content: Record<string, { schema: Schema & { "x-piece"?: Schema } }> };
    default: { $ref: string };
  };
}

export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: {
    responses: Record<string, { content: { "application/json": { schema: Schema } } }>;
  };
}

/** What a program that knows the description alone is answered. */
export interface Answer {
  status: number;
  /** The result, the pieces of a stream, or the error. */
  body: unknown;
  /** Where the answer is not as described. */
  problems: string[];
}

export async function readDescription(site: Site): Promise<Description> {
  const answer = await fetch(`${site.url}/api/openapi.json`);
  return answer.json() as Promise<Description>;
}

/** The one schema of what an operation takes; null: nothing. */
export function findInput(operation: Operation): Schema | null {
  const ofBody = operation.requestBody?.content["application/json"].schema;
  if (ofBody) return ofBody;
  const input = operation.parameters?.find(({ name }) => name === "input");
  return input?.schema.contentSchema ?? null;
}

export const listOperations = ({ paths }: Description): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

/** A new account's token for programs that may write. */
export async function createToken(site: Site): Promise<string> {
  const email = await createAccount(site);
  const call = async (procedure: string, input: object, token = "") => {
    const answer = await fetch(`${site.url}/trpc/${procedure}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(input),
    });
    const { result } = (await answer.json()) as { result: { data: Record<string, string> } };
    return result.data;
  };
  const { accessToken } = await call("auth.tokens", { email, password });
  const created = await call("tokens.create", { name: "Client", scope: "write" }, accessToken);
  return created.secret ?? "";
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const validators = new Map<string, ValidateFunction>();

function findProblems(name: string, schema: Schema, value: unknown): string[] {
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${name} ${instancePath}: ${message}`,
  );
}

/** What a stream of tRPC holds: lines of a stream's number, 1 for a piece, and the piece; or its refusal. */
function readPieces(text: string): { pieces: unknown[]; refusal: Refusal | null } {
  const lines: unknown[] = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
  const pieces = lines.flatMap((line) => {
    if (!Array.isArray(line) || line[1] !== 1) return [];
    const [[piece]] = line[2];
    return [piece];
  });
  const refusal = /\{"error":.*\}/.exec(text)?.[0];
  return { pieces, refusal: refusal === undefined ? null : JSON.parse(refusal) };
}

/** A client that another program makes of the description: it knows nothing but operations and their parameters. */
export async function createDescribedClient(description: Description, token: string) {
  const api = new OpenAPIClientAxios({
    definition: description as never,
    axiosConfigDefaults: {
      headers: token === "" ? {} : { authorization: `Bearer ${token}` },
      validateStatus: () => true,
      // Streams come as text; a JSON text is parsed.
      responseType: "text",
    },
  });
  const client = (await api.init()) as unknown as Record<
    string,
    (
      parameters: Record<string, string> | null,
      body?: unknown,
    ) => Promise<{ status: number; data: unknown; headers: Record<string, string> }>
  >;
  const operations = new Map(listOperations(description).map((one) => [one.operationId, one]));

  return async (operationId: string, input?: unknown): Promise<Answer> => {
    const operation = operations.get(operationId);
    const call = client[operationId];
    if (!operation || !call) throw new Error(`${operationId} is not described`);
    const parameters: Record<string, string> = {};
    for (const { name, schema } of operation.parameters ?? []) {
      const [constant] = (schema.enum as string[] | undefined) ?? [];
      if (constant !== undefined) parameters[name] = constant;
      else if (input !== undefined) parameters[name] = JSON.stringify(input);
    }
    const isStream = operation.responses[200].content["application/jsonl"] !== undefined;
    const { status, data } = await call(
      parameters,
      operation.requestBody && (isStream ? { 0: input } : input),
    );
    const parsed = typeof data === "string" && !(isStream && status === 200) ? parse(data) : data;
    const { components } = description;
    const response = operation.responses.default.$ref.split("/").at(-1) ?? "";
    const toRefusal = (code: number, refusal: unknown): Answer => {
      const schema = components.responses[response]?.content["application/json"].schema ?? {};
      return { status: code, body: refusal, problems: findProblems(response, schema, refusal) };
    };
    if (status !== 200) return toRefusal(status, parsed);
    const [content] = Object.values(operation.responses[200].content);
    const schema = content?.schema ?? {};
    if (!isStream)
      return { status, body: parsed, problems: findProblems(operationId, schema, parsed) };
    const { pieces, refusal } = readPieces(String(data));
    if (refusal !== null) return toRefusal(readStatus(refusal), refusal);
    const ofPiece = schema["x-piece"] ?? {};
    const problems = pieces.flatMap((piece) => findProblems(operationId, ofPiece, piece));
    return { status, body: pieces, problems };
  };
}

interface Refusal {
  error: { data: { httpStatus: number } };
}

/** A stream has begun before its call is refused. */
const readStatus = (refusal: Refusal): number => refusal.error.data.httpStatus;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
