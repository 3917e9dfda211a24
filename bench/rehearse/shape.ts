/**
 * The fields of JSON values, without their contents: by path (`tokens[].text`) the types that occur there, sorted.
 * `absent`: the field is missing in some of the objects. Of fields whose values belong to the wire, such as
 * `error_type`, each value is a type of its own.
 */
export type Shape = Record<string, string[]>;

/** Values longer than this, or with other characters, are texts and not words of the wire. */
const wireWord = /^[\w.<>[\] -]{1,60}$/;

/** @param vocabulary names of fields whose values belong to the wire */
export function toShape(values: readonly unknown[], vocabulary: ReadonlySet<string>): Shape {
  const types = new Map<string, Set<string>>();
  const add = (path: string, type: string) => {
    const known = types.get(path);
    if (known) known.add(type);
    else types.set(path, new Set([type]));
  };
  const visit = (path: string, name: string, siblings: readonly unknown[]): void => {
    for (const value of siblings) add(path, toType(value, vocabulary.has(name)));
    const items = siblings.filter(Array.isArray).flat();
    if (items.length > 0) visit(`${path}[]`, name, items);
    const objects = siblings.filter(isObject);
    for (const key of new Set(objects.flatMap((one) => Object.keys(one)))) {
      const inner = path === "" ? key : `${path}.${key}`;
      const present = objects.filter((one) => one[key] !== undefined);
      if (present.length < objects.length) add(inner, "absent");
      visit(
        inner,
        key,
        present.map((one) => one[key]),
      );
    }
  };
  visit("", "", values);
  const sorted = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, found]) => [path, [...found].sort()]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function toType(value: unknown, isVocabulary: boolean): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (isVocabulary && typeof value !== "object" && wireWord.test(String(value)))
    return JSON.stringify(value);
  return typeof value;
}

/** `missing`: only the stand-in has it. `additional`: only the service has it. `other`: the service has other types. */
export interface ShapeDifference {
  kind: "missing" | "additional" | "other";
  path: string;
  standIn: string[];
  service: string[];
}

/**
 * How the shape of a service's answers differs from that of its stand-in's. A service that shows fewer types of a field
 * than the stand-in does not differ: one rehearsal does not see all. Fields inside an additional one are not listed.
 */
export function compareShapes(standIn: Shape, service: Shape): ShapeDifference[] {
  const paths = [...new Set([...Object.keys(standIn), ...Object.keys(service)])].sort();
  const found: ShapeDifference[] = [];
  for (const path of paths) {
    const expected = standIn[path] ?? [];
    const actual = service[path] ?? [];
    if (actual.length === 0) {
      const isOptional = expected.includes("absent");
      if (!isOptional && !isInside(path, found, "missing"))
        found.push({ kind: "missing", path, standIn: expected, service: actual });
    } else if (expected.length === 0) {
      if (!isInside(path, found, "additional"))
        found.push({ kind: "additional", path, standIn: expected, service: actual });
    } else if (actual.some((type) => !expected.includes(type)))
      found.push({ kind: "other", path, standIn: expected, service: actual });
  }
  return found;
}

const isInside = (
  path: string,
  found: readonly ShapeDifference[],
  kind: ShapeDifference["kind"],
): boolean =>
  found.some(
    (one) =>
      one.kind === kind && (path.startsWith(`${one.path}.`) || path.startsWith(`${one.path}[]`)),
  );

/** `service` without the fields that the stand-in does not have. */
export const selectKnown = (service: Shape, standIn: Shape): Shape =>
  Object.fromEntries(Object.entries(service).filter(([path]) => standIn[path] !== undefined));
