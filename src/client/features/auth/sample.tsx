import { useT } from "./messages/index.ts";

/** What is said, and its translation. */
const sentences = [
  ["Entropy counts arrangements.", "熵，数的是排列方式。"],
  ["A broken glass has far more of them than a whole one.", "打碎的杯子，排列方式比完整的多得多。"],
  ["That is why you have never seen one mend itself.", "所以你从没见过碎杯子自己复原。"],
  ["It is not forbidden; it is only very, very unlikely.", "这并不被禁止，只是可能性极小极小。"],
  ["And that, in one sentence, is the second law.", "一句话，这就是第二定律。"],
] as const;

const wordMs = 130;
/** When each sentence begins to be said; the first two have been said. The last translation is whole before 5 s are over. */
const startsMs = [null, null, 300, 1_850, 3_350] as const;
const translationDelayMs = 350;

/**
 * Sentences as they are recorded: the words come one after the other, and the translation grows below them. They come
 * once, in the space that they need at the end.
 */
export function Sample() {
  const t = useT();
  return (
    <section
      aria-label={t("auth.sample")}
      className="overflow-clip rounded-l border border-rule bg-sheet shadow-sheet"
    >
      <div className="flex flex-wrap items-center gap-2.5 border-rule border-b px-5 py-2.5 text-ink-3 text-sm">
        <span className="rounded-full border border-rule-control px-2 py-px font-[550] text-ink-2 text-xs">
          {t("auth.sample")}
        </span>
        <span className="ml-auto">{t("auth.samplePair")}</span>
      </div>
      <div className="px-5 pt-1.5 pb-5 text-lg">
        {sentences.map(([original, translated], index) => {
          const start = startsMs[index] ?? null;
          const words = original.match(/\S+\s*/g) ?? [];
          const parts = translated.match(/..?[，。]?/g) ?? [];
          return (
            <div key={original} className="pt-3.5 leading-[1.6] max-book:first:hidden">
              <p lang="en" translate="no">
                <Said parts={words} start={start} partMs={wordMs} />
              </p>
              <p lang="zh-Hans" translate="no" className="text-[0.95em] text-ink-2">
                <Said
                  parts={parts}
                  start={start === null ? null : start + translationDelayMs}
                  partMs={(words.length * wordMs) / parts.length}
                />
              </p>
            </div>
          );
        })}
      </div>
    </section>
  );
}

interface SaidProps {
  parts: readonly string[];
  /** When the first part of a sentence appears; null: it has been said. */
  start: number | null;
  /** After how long each other one does. */
  partMs: number;
}

const Said = ({ parts, start, partMs }: SaidProps) =>
  start === null
    ? parts.join("")
    : parts.map((part, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts do not change
          key={index}
          className="said"
          style={{ animationDelay: `${Math.round(start + index * partMs)}ms` }}
        >
          {part}
        </span>
      ));
