/** Form-encoded parameters with their brackets resolved: `a[b][0]=c` is `{ a: { b: ["c"] } }`. */
type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type FormTree = { [key: string]: FormValue };

/** A name is malformed, or stands for a value and for a hash at once. */
export class MalformedFormError extends Error {
  override readonly name = "MalformedFormError";
}

/** Parameters that one request may have; more is no request that Stripe's client makes. */
const mostPairs = 1_000;

/**
 * Reads `application/x-www-form-urlencoded` text as Stripe does.
 *
 * @throws MalformedFormError
 */
export function decodeForm(text: string): FormTree {
  const root = new Map<string, Node>();
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1;
    if (pairs > mostPairs) throw new MalformedFormError("Too many parameters.");
    put(root, keysOf(name), value, name);
  }
  return Object.fromEntries([...root].map(([key, node]) => [key, resolve(node)]));
}

type Node = string | Map<string, Node>;

function keysOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw new MalformedFormError(`Invalid parameter name: ${name}`);
  const [, first = "", rest = ""] = match;
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = ""]) => key)];
}

function put(at: Map<string, Node>, keys: string[], value: string, name: string): void {
  const [key = "", ...rest] = keys;
  // `a[]` appends.
  const place = key === "" ? String(at.size) : key;
  const there = at.get(place);
  if (rest.length === 0) {
    if (there instanceof Map) throw new MalformedFormError(`Invalid parameter: ${name}`);
    at.set(place, value);
    return;
  }
  if (typeof there === "string") throw new MalformedFormError(`Invalid parameter: ${name}`);
  const next = there ?? new Map<string, Node>();
  at.set(place, next);
  put(next, rest, value, name);
}

function resolve(node: Node): FormValue {
  if (typeof node === "string") return node;
  const keys = [...node.keys()];
  const values = [...node.values()].map(resolve);
  if (keys.every((key, index) => key === String(index))) return values;
  return Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ""]));
}
