/** As much of Prometheus as the rules of docs/alerts.yml need: its text format, and its expressions. */

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Two scrapes, the later one at `time`, s since the epoch. `increase` and `rate` are what has changed between them. */
export interface Scrapes {
  before: string;
  after: string;
  time: number;
}

type Value = number | boolean | Sample[];

/** The rules of a file of alerting rules: expressions by name. */
export const parseRules = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, name, expr]) => [name, expr]),
  );

/** @throws for a line that is neither a comment nor a sample. */
export const parseSamples = (text: string): Sample[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !/^# (HELP|TYPE) \w+ ./.test(line))
    .map((line) => {
      const [, name, labels = "", value] =
        /^([a-z_]+)(?:\{([^}]*)\})? (-?[\d.e+-]+|\+Inf)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      return { name, labels: parseLabels(labels), value: Number(value) };
    });

const parseLabels = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

const aggregate: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};

/** Whether a rule's expression holds; false where it has no value. @throws for anything it does not know. */
export function isFiring(expression: string, scrapes: Scrapes): boolean {
  const tokens = expression.match(/\{[^}]*\}|\[\w+\]|[a-z_]+|\d+(?:\.\d+)?|[()<>,/-]|==/g) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const take = (expected?: string) => {
    const token = tokens[at] ?? "";
    if (expected !== undefined && token !== expected)
      throw new Error(`${expected} expected, not "${token}": ${expression}`);
    at += 1;
    return token;
  };
  const before = new Map(
    parseSamples(scrapes.before).map((one) => [JSON.stringify([one.name, one.labels]), one.value]),
  );
  const increase = (samples: Sample[]) =>
    samples.map((one) => ({
      ...one,
      value: one.value - (before.get(JSON.stringify([one.name, one.labels])) ?? 0),
    }));

  function readSelector(name: string): Sample[] {
    const matchers = peek().startsWith("{") ? take() : "";
    const tests = [...matchers.matchAll(/(\w+)(=~|!~|=)"([^"]*)"/g)];
    return parseSamples(scrapes.after).filter(
      (one) =>
        one.name === name &&
        tests.every(([, label = "", operator, pattern]) => {
          const matches = new RegExp(`^(?:${pattern})$`).test(one.labels[label] ?? "");
          return operator === "!~" ? !matches : matches;
        }),
    );
  }

  function readPrimary(): Value {
    const token = take();
    if (/^\d/.test(token)) return Number(token);
    if (token in aggregate) return readAggregate(token);
    if (peek() !== "(") return readSelector(token);
    take("(");
    if (token === "time") {
      take(")");
      return scrapes.time;
    }
    if (token === "increase" || token === "rate") {
      const samples = increase(readSelector(take()));
      if (!/^\[\d+[mh]\]$/.test(take())) throw new Error(`no range: ${expression}`);
      take(")");
      return samples;
    }
    if (token !== "histogram_quantile") throw new Error(`unknown: ${token}`);
    const part = Number(take());
    take(",");
    const quantile = findQuantile(part, readSum() as Sample[]);
    take(")");
    return quantile;
  }

  function readAggregate(name: string): Value {
    const by = peek() === "by";
    if (by) for (const token of ["by", "(", "le", ")"]) take(token);
    take("(");
    const samples = readSum() as Sample[];
    take(")");
    const reduce = (of: Sample[]) => aggregate[name]?.(of.map(({ value }) => value)) ?? 0;
    if (!by) return samples.length === 0 ? Number.NaN : reduce(samples);
    const groups = Object.entries(Object.groupBy(samples, ({ labels }) => labels.le ?? ""));
    return groups.map(([le, group]) => ({ name: "", labels: { le }, value: reduce(group ?? []) }));
  }

  function readSum(): Value {
    let value = readPrimary();
    while (peek() === "/" || peek() === "-") {
      const operator = take();
      const right = Number(readPrimary());
      value = operator === "/" ? Number(value) / right : Number(value) - right;
    }
    return value;
  }

  const left = Number(readSum());
  const operator = take();
  const right = Number(readSum());
  if (at !== tokens.length) throw new Error(`unread: ${tokens.slice(at)}`);
  if (operator === "==") return left === right;
  return operator === ">" ? left > right : left < right;
}

/** As Prometheus: linear within a bucket, and the last end below infinity above it. */
function findQuantile(part: number, buckets: Sample[]): number {
  const sorted = buckets
    .map(({ labels, value }) => ({
      end: labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le),
      value,
    }))
    .sort((a, b) => a.end - b.end);
  const rank = part * (sorted.at(-1)?.value ?? Number.NaN);
  const index = sorted.findIndex(({ value }) => value >= rank);
  const bucket = sorted[index];
  const below = sorted[index - 1] ?? { end: 0, value: 0 };
  if (!bucket || rank === 0) return Number.NaN;
  if (bucket.end === Number.POSITIVE_INFINITY) return below.end;
  return (
    below.end + ((bucket.end - below.end) * (rank - below.value)) / (bucket.value - below.value)
  );
}
