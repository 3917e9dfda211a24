import { compareShapes, type Shape, selectKnown, toShape } from "./shape.ts";

/** One answer of a service. `kind`: how it is told from others, for example `Results` or a status of HTTP. */
export interface Answer {
  kind: string;
  body: unknown;
}

/** What a service answered to one thing that it was asked, without the texts that it sent. */
export interface Exchange {
  /** What it was asked, for example "a wrong key". */
  name: string;
  /** Kinds of its answers, in order; one that repeats is named once. The last one of a stream says how it ended. */
  order: string[];
  /** By kind. */
  shapes: Record<string, Shape>;
  /** What must hold of the service as of its stand-in: the order of times, and what our adapter makes of the answers. */
  facts: Record<string, string | number | boolean>;
  /** Not compared, ms. */
  times: Record<string, number>;
}

export function createExchange(
  name: string,
  answers: readonly Answer[],
  vocabulary: ReadonlySet<string>,
  { facts = {}, times = {} }: Partial<Pick<Exchange, "facts" | "times">> = {},
): Exchange {
  const kinds = answers.map(({ kind }) => kind);
  const shapes = [...new Set(kinds)].flatMap((kind) => {
    const bodies = answers.filter((one) => one.kind === kind).map(({ body }) => body);
    const hasBody = bodies.some((body) => body !== undefined);
    return hasBody ? [[kind, toShape(bodies, vocabulary)] as const] : [];
  });
  return {
    name,
    order: kinds.filter((kind, index) => kind !== kinds[index - 1]),
    shapes: Object.fromEntries(shapes),
    facts,
    times,
  };
}

export interface Difference {
  exchange: string;
  /** `additional`: the stand-in leaves it out, which may be on purpose. */
  kind: "missing" | "additional" | "other" | "order" | "fact" | "exchange";
  /** A field with the kind of its answer, a fact, or empty. */
  subject: string;
  standIn: string;
  service: string;
}

const toText = (value: unknown): string =>
  value === undefined
    ? "nothing"
    : Array.isArray(value)
      ? value.join(", ") || "nothing"
      : String(value);

/** How the exchanges with a service differ from the same ones with its stand-in. */
export function compareExchanges(
  standIn: readonly Exchange[],
  service: readonly Exchange[],
): Difference[] {
  const names = new Set([...standIn, ...service].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const expected = standIn.find((one) => one.name === name);
    const actual = service.find((one) => one.name === name);
    if (!expected || !actual)
      return [
        {
          exchange: name,
          kind: "exchange" as const,
          subject: "",
          standIn: expected ? "answers" : "nothing",
          service: actual ? "answers" : "nothing",
        },
      ];
    return compareExchange(expected, actual);
  });
}

function compareExchange(standIn: Exchange, service: Exchange): Difference[] {
  const differences: Difference[] = [];
  const add = (kind: Difference["kind"], subject: string, expected: unknown, actual: unknown) =>
    differences.push({
      exchange: standIn.name,
      kind,
      subject,
      standIn: toText(expected),
      service: toText(actual),
    });
  if (standIn.order.join() !== service.order.join()) add("order", "", standIn.order, service.order);
  for (const kind of Object.keys(standIn.shapes)) {
    const shape = service.shapes[kind];
    // That there is no such answer is a matter of the order.
    if (!shape) continue;
    for (const one of compareShapes(standIn.shapes[kind] ?? {}, shape))
      add(one.kind, `${kind}: ${one.path}`, one.standIn, one.service);
  }
  for (const fact of new Set([...Object.keys(standIn.facts), ...Object.keys(service.facts)]))
    if (standIn.facts[fact] !== service.facts[fact])
      add("fact", fact, standIn.facts[fact], service.facts[fact]);
  return differences;
}

/** `service` as far as the stand-in says the same kinds of things: what is stored, and what a stand-in must keep to. */
export function selectKnownExchanges(
  service: readonly Exchange[],
  standIn: readonly Exchange[],
): Exchange[] {
  return service.map(({ times: _, ...exchange }) => {
    const { shapes = {} } = standIn.find(({ name }) => name === exchange.name) ?? {};
    const known = Object.entries(exchange.shapes).map(
      ([kind, shape]) => [kind, selectKnown(shape, shapes[kind] ?? {})] as const,
    );
    return { ...exchange, shapes: Object.fromEntries(known), times: {} };
  });
}
