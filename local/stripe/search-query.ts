import { invalidRequest } from "./errors.ts";
import type { Customer } from "./model.ts";

/**
 * Stripe's search language as far as customers are found with it here: `email:'x'`, `name:'x'`,
 * `email~'x'` (contains) and `metadata['key']:'value'`, joined by `AND` or a space, each negated by `-`.
 *
 * @throws ApiError where it is anything else.
 */
export function customerQuery(query: string): (customer: Customer) => boolean {
  const clauses: ((customer: Customer) => boolean)[] = [];
  const clause =
    /^\s*(-)?(email|name|metadata\[(?:'([^']*)'|"([^"]*)")\])([:~])(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:\s+AND(?=\s)|(?=\s|$))/;
  let rest = query;
  while (rest.trim() !== "") {
    const match = clause.exec(rest);
    if (!match)
      throw invalidRequest(
        `We were unable to parse your search query. The stand-in has email, name and metadata['key'], joined by AND: ${query}`,
        { param: "query" },
      );
    const [whole, negated, field = "", singleKey, doubleKey, relation, single, double] = match;
    const wanted = (single ?? double ?? "").replace(/\\(.)/g, "$1");
    const key = singleKey ?? doubleKey ?? "";
    clauses.push((customer) => {
      const value =
        field === "email"
          ? customer.email
          : field === "name"
            ? customer.name
            : (customer.metadata[key] ?? null);
      return matches(value, relation === "~", wanted) !== (negated === "-");
    });
    rest = rest.slice(whole.length);
  }
  return (customer) => clauses.every((holds) => holds(customer));
}

/** Search knows no case. */
function matches(value: string | null, contains: boolean, wanted: string): boolean {
  if (value === null) return false;
  const [has, needle] = [value.toLowerCase(), wanted.toLowerCase()];
  return contains ? has.includes(needle) : has === needle;
}
