import { z } from "zod";
import { createInvalidRequest } from "./errors.ts";

interface FormTree {
  [key: string]: string | FormTree;
}

export const text = z.string().min(1).max(5_000);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const webAddress = z.url({ protocol: /^https?$/ });
export const metadata = z.record(z.string().max(40), z.string().max(500));
/** Maximum number of items of a list. */
export const limit = z.coerce.number().int().min(1).max(100).default(10);

/**
 * Parses the parameters of a request: `a[b][0]=c` becomes `{ a: { b: { 0: "c" } } }`.
 *
 * @throws ApiError that names an unknown parameter, or else a missing or invalid one.
 */
export function parseParameters<T extends z.ZodType>(schema: T, form: string): z.output<T> {
  const parsed = schema.safeParse(decodeForm(form), { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown) {
    const param = formatName([...unknown.path, unknown.keys[0] ?? ""]);
    const message = `Received unknown parameter: ${param}. The stand-in of Stripe has those alone that the product sends.`;
    throw createInvalidRequest(message, { code: "parameter_unknown", param });
  }
  const [issue] = issues;
  const param = formatName(issue?.path ?? []);
  throw issue?.input === undefined
    ? createInvalidRequest(`Missing required param: ${param}.`, {
        code: "parameter_missing",
        param,
      })
    : createInvalidRequest(`Invalid ${param}: ${issue.message}`, { param });
}

const formatName = ([first = "", ...rest]: PropertyKey[]) =>
  [String(first), ...rest.map((key) => `[${String(key)}]`)].join("");

/** @throws ApiError if a name is malformed, or used both for a value and for a hash. */
function decodeForm(form: string): FormTree {
  const root: FormTree = Object.create(null);
  for (const [name, value] of new URLSearchParams(form)) {
    if (!/^[^[\]]+(\[[^[\]]+\])*$/.test(name))
      throw createInvalidRequest("Invalid name", { param: name });
    const keys = name.replaceAll("]", "").split("[");
    const last = keys.pop() ?? "";
    let at = root;
    for (const key of keys) {
      at[key] ??= Object.create(null) as FormTree;
      const next = at[key];
      if (typeof next === "string") throw createInvalidRequest("Invalid hash", { param: name });
      at = next;
    }
    if (typeof at[last] === "object") throw createInvalidRequest("Invalid value", { param: name });
    at[last] = value;
  }
  return root;
}
