import { prices } from "#bench/scale/figures.ts";
import type { Exchange } from "./exchange.ts";

const isTranslation = ({ name }: Pick<Exchange, "name">): boolean =>
  name.startsWith("speech translated");

/**
 * What nobody has seen the service answer yet, and the product needs: translation in Soniox's stream. `recorded`: the
 * stored answers, and whose they are; `seconds`: of sound. Nothing, once the service itself has answered so.
 */
export function describeUnseen(
  recorded: { source: string; exchanges: readonly Exchange[] } | undefined,
  seconds: number,
): string[] {
  const exchanges = recorded?.exchanges.filter(isTranslation) ?? [];
  if (recorded?.source !== "stand-in" || exchanges.length === 0) return [];
  const names = new Set(exchanges.flatMap(({ facts }) => Object.keys(facts)));
  const needs = [...names].map((name) => {
    const answers = new Set(exchanges.map(({ facts }) => String(facts[name])));
    return `- ${name}: ${[...answers].join(" or ")}`;
  });
  const dollars = ((exchanges.length * (seconds + 5)) / 3_600) * prices.soniox.value;
  return [
    "Translation in Soniox's stream: nobody has seen the service answer. It must answer as the stand-in does:",
    ...needs,
    `That is asked in ${exchanges.length} streams, for at most $${dollars.toFixed(4)} (${prices.soniox.value} ${prices.soniox.unit}; no price of its own for translation is known).`,
    "The report says what differs, and how long a translation takes. With another answer, docs/decisions/0087 says what depends on it.",
  ];
}
