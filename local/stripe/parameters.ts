import { z } from "zod";
import { type ApiError, invalidRequest } from "./errors.ts";
import type { FormTree } from "./form.ts";

/** Why one value is refused: Stripe's code for it (null: none) and its message. */
interface Problem {
  code: string | null;
  message: (param: string, value: string) => string;
}

const problems = {
  missing: { code: "parameter_missing", message: (param) => `Missing required param: ${param}.` },
  empty: {
    code: "parameter_invalid_empty",
    message: (param) =>
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
  },
  integer: {
    code: "parameter_invalid_integer",
    message: (_, value) => `Invalid integer: ${value}`,
  },
  boolean: { code: null, message: (_, value) => `Invalid boolean: ${value}` },
  string: { code: null, message: () => "Invalid string" },
  url: { code: "url_invalid", message: () => "Not a valid URL" },
  email: { code: "email_invalid", message: (_, value) => `Invalid email address: ${value}` },
} as const satisfies Record<string, Problem>;

/** A value that is one string on the wire. `read` hands back what it means, or what is wrong. */
function scalar<T>(read: (text: string) => { value: T } | Problem) {
  return z.unknown().transform((input, context): T => {
    const outcome =
      input === undefined
        ? problems.missing
        : typeof input !== "string"
          ? problems.string
          : input === ""
            ? problems.empty
            : read(input);
    if ("value" in outcome) return outcome.value;
    context.addIssue({ code: "custom", params: { problem: outcome, value: String(input) } });
    return z.NEVER;
  });
}

/** Text of 1 to `most` characters. */
export const text = (most = 5_000) =>
  scalar((value) =>
    value.length <= most
      ? { value }
      : {
          code: null,
          message: (param) =>
            `Invalid string: ${value.slice(0, 20)}…; must be at most ${most} characters (${param})`,
        },
  );

/** A whole number. */
export const integer = (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  scalar((value) => {
    if (!/^-?\d+$/.test(value)) return problems.integer;
    const number = Number(value);
    if (number < least)
      return {
        code: "parameter_invalid_integer",
        message: () => `This value must be greater than or equal to ${least}.`,
      };
    if (number > most)
      return {
        code: "parameter_invalid_integer",
        message: () => `This value must be less than or equal to ${most} (passed ${value}).`,
      };
    return { value: number };
  });

export const flag = scalar((value) =>
  value === "true" || value === "false" ? { value: value === "true" } : problems.boolean,
);

export const oneOf = <const T extends string>(...values: readonly T[]) =>
  scalar((value) => {
    const found = values.find((one) => one === value);
    return found === undefined
      ? { code: null, message: (param) => `Invalid ${param}: must be one of ${list(values)}` }
      : { value: found };
  });

export const webAddress = scalar((value) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? { value } : problems.url,
);

export const email = scalar((value) =>
  value.length <= 512 && /^[^\s@]+@[^\s@]+$/.test(value) ? { value } : problems.email,
);

/** An empty value unsets. */
export const emptyable = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal("").transform(() => null), schema]);

/** Up to 50 keys; an empty value unsets its key, an empty `metadata` all of them. */
export const metadata = emptyable(
  z
    .record(z.string().min(1).max(40), z.string().max(500))
    .refine((all) => Object.keys(all).length <= 50),
);
export type MetadataInput = Record<string, string> | null;

export const expand = z.array(text(200)).optional();

/** What every list takes. */
export const paging = {
  limit: integer(1, 100).default(10),
  starting_after: text().optional(),
  ending_before: text().optional(),
  expand,
};

/** An exact second, or a range of them. */
export const range = z
  .union([
    integer(),
    z.strictObject({
      gt: integer().optional(),
      gte: integer().optional(),
      lt: integer().optional(),
      lte: integer().optional(),
    }),
  ])
  .optional();

/**
 * Checks the parameters of a request.
 *
 * @param beyond parameters that Stripe knows here and this stand-in does not.
 * @throws ApiError as Stripe refuses them: what is unknown first, then what is missing or wrong.
 */
export function readParameters<T extends z.ZodType>(
  schema: T,
  beyond: readonly string[],
  input: FormTree,
): z.output<T> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => flatten(issue, []));
  const unknown = issues.find(({ code }) => code === "unrecognized_keys");
  const [first] = issues;
  throw unknown ? unknownParameter(unknown, beyond) : refusal(first);
}

interface Issue {
  code: string | undefined;
  path: PropertyKey[];
  input: unknown;
  keys: string[];
  problem: Problem | null;
}

/** A union's last branch is its full form, so its issues are the ones worth telling. */
function flatten(issue: z.core.$ZodIssue, before: PropertyKey[]): Issue[] {
  const path = [...before, ...issue.path];
  if (issue.code === "invalid_union") {
    const branch = issue.errors.at(-1) ?? [];
    if (branch.length > 0) return branch.flatMap((inner) => flatten(inner, path));
  }
  const problem =
    issue.code === "custom" ? ((issue.params?.problem as Problem | undefined) ?? null) : null;
  const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
  return [{ code: issue.code, path, input: issue.input, keys, problem }];
}

function unknownParameter({ path, keys }: Issue, beyond: readonly string[]): ApiError {
  const param = nameOf([...path, keys[0] ?? ""]);
  if (beyond.includes(param.replace(/\[\d+\]/g, "[]")))
    return invalidRequest(`The stand-in of Stripe does not have the parameter: ${param}`, {
      param,
    });
  return invalidRequest(`Received unknown parameter: ${param}`, {
    code: "parameter_unknown",
    param,
  });
}

function refusal(issue: Issue | undefined): ApiError {
  const param = nameOf(issue?.path ?? []);
  const value = typeof issue?.input === "string" ? issue.input : "";
  const problem =
    issue?.problem ?? (issue?.input === undefined ? problems.missing : wrongShape(issue));
  return invalidRequest(problem.message(param, value), {
    ...(problem.code ? { code: problem.code } : {}),
    param,
  });
}

const wrongShape = ({ input }: Issue): Problem => ({
  code: null,
  message: (param) =>
    typeof input === "string" ? `Invalid object: ${param}` : `Invalid value for ${param}`,
});

const nameOf = (path: PropertyKey[]) =>
  path.map((key, index) => (index === 0 ? String(key) : `[${String(key)}]`)).join("");

const list = (values: readonly string[]) =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")}, or ${values.at(-1)}`;
