import type { z } from "zod";
import type { Account } from "./account.ts";
import type { FormTree } from "./form.ts";
import { readParameters } from "./parameters.ts";

/** What an endpoint may know of its request besides the parameters. */
export interface Call {
  /** The id in the path; empty where it has none. */
  id: string;
  /** Path without the query. */
  path: string;
}

export interface Endpoint {
  method: "GET" | "POST" | "DELETE";
  /** With `:id` for the one part that varies. */
  path: string;
  /** Checks the parameters; what it hands back carries the request out. Both throw ApiError. */
  prepare(parameters: FormTree): (account: Account, call: Call) => object;
}

/** An endpoint whose parameters are those of `schema`. `beyond`: those that only the real Stripe has. */
export function endpoint<T extends z.ZodType>(
  method: Endpoint["method"],
  path: string,
  schema: T,
  beyond: readonly string[],
  run: (account: Account, input: z.output<T>, call: Call) => object,
): Endpoint {
  return {
    method,
    path,
    prepare(parameters) {
      const input = readParameters(schema, beyond, parameters);
      return (account, call) => run(account, input, call);
    },
  };
}
