import { useLanguage } from "#client/i18n/bundle.ts";
import { Seal } from "#client/ui/seal.tsx";
import { useT } from "./messages/index.ts";

/** Says what the product does, in both languages, and shows it with an example. */
export function BrandSide() {
  const t = useT();
  const otherLanguage = useLanguage() === "en" ? "zh-Hans" : "en";
  return (
    <header className="flex flex-col justify-between gap-5 border-rule px-6 pt-7 pb-4 sm:max-book:pt-16 max-book:mx-auto max-book:w-full max-book:max-w-107 book:border-r book:bg-paper-2 book:px-16 book:py-12">
      <div className="flex items-center gap-2.5">
        <Seal className="size-7.5" />
        <b className="font-semibold text-lg tracking-tight">{t("brand.both")}</b>
      </div>
      <div className="grid max-w-150 gap-4 book:gap-10">
        <div className="grid gap-1 book:gap-2">
          <p className="text-balance font-semibold text-xl tracking-tight book:text-3xl">
            {t("auth.headline")}
          </p>
          <p lang={otherLanguage} className="text-balance text-ink-2 book:text-lg">
            {t("auth.headlineTranslated")}
          </p>
        </div>
        <Example />
      </div>
      <p className="text-ink-3 text-sm max-book:hidden">{t("brand.line")}</p>
    </header>
  );
}

const wordMs = 150;
/** When each sentence begins to be said; the last translation is whole before 5 s are over. */
const startsMs = { 1: 300, 2: 1_250, 3: 2_800 } as const;
const translationDelayMs = 450;

/**
 * Sentences as they are recorded: the words come one after the other, and the translation grows beside them. It
 * plays once, in the space that it needs at the end.
 */
function Example() {
  const t = useT();
  return (
    <div
      role="img"
      aria-label={t("auth.example")}
      className="rounded-l border border-rule bg-sheet px-4 py-1.5 book:px-6 book:py-3"
    >
      {([1, 2, 3] as const).map((number) => {
        const original = t(`auth.example.${number}.en`).match(/\S+\s*/g) ?? [];
        const chinese = t(`auth.example.${number}.zh`).match(/..?[，。]?/g) ?? [];
        const start = startsMs[number];
        const partMs = (original.length * wordMs) / chinese.length;
        return (
          <div
            key={number}
            className="grid gap-x-6 gap-y-0.5 py-2 max-book:last:hidden book:grid-cols-2 book:py-3"
          >
            <p lang="en" className="text-balance book:text-lg">
              <Said parts={original} start={start} partMs={wordMs} />
            </p>
            <p lang="zh-Hans" className="text-balance text-ink-2 book:text-lg">
              <Said parts={chinese} start={start + translationDelayMs} partMs={partMs} />
            </p>
          </div>
        );
      })}
    </div>
  );
}

/** When the first part of a sentence appears, and after how long each other one does, in ms. */
interface SaidProps {
  parts: readonly string[];
  start: number;
  partMs: number;
}

const Said = ({ parts, start, partMs }: SaidProps) =>
  parts.map((part, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts do not change
      key={index}
      className="said"
      style={{ animationDelay: `${Math.round(start + index * partMs)}ms` }}
    >
      {part}
    </span>
  ));
