import { Seal } from "#client/ui/seal.tsx";
import { useT } from "./messages/index.ts";

/** Shows what the product does: sentences, each with its translation below. */
export function BrandSide() {
  const t = useT();
  return (
    <header className="flex flex-col justify-between gap-6 border-rule px-6 pt-7 pb-4 sm:max-book:pt-16 max-book:mx-auto max-book:w-full max-book:max-w-107 book:border-r book:bg-paper-2 book:px-16 book:py-12">
      <div className="flex items-center gap-2.5">
        <Seal className="size-7.5" />
        <b className="font-semibold text-lg tracking-tight">{t("brand.both")}</b>
      </div>
      <div className="grid max-w-130 gap-4 book:gap-6">
        <div className="text-ink-3 max-book:hidden">
          <Pair english={t("auth.say.one.en")} chinese={t("auth.say.one.zh")} quiet />
        </div>
        <Pair english={t("auth.say.two.en")} chinese={t("auth.say.two.zh")} />
        <div>
          <p lang="en" className="text-xl tracking-tight book:text-2xl">
            {t("auth.say.three.en")}{" "}
            <span className="text-ink-live">{t("auth.say.threeLive.en")}</span>
            <span
              aria-hidden="true"
              className="ml-1 inline-block h-[1em] w-0.5 animate-caret bg-seal align-[-0.12em]"
            />
          </p>
          <p lang="zh-Hans" className="mt-1 text-ink-live text-lg book:text-xl">
            {t("auth.say.three.zh")}
          </p>
        </div>
      </div>
      <p className="text-ink-3 text-sm max-book:hidden">{t("brand.line")}</p>
    </header>
  );
}

interface PairProps {
  english: string;
  chinese: string;
  /** An earlier sentence: both lines in the inherited colour. */
  quiet?: boolean;
}

function Pair({ english, chinese, quiet = false }: PairProps) {
  return (
    <div>
      <p lang="en" className="text-xl tracking-tight book:text-2xl">
        {english}
      </p>
      <p lang="zh-Hans" className={`mt-1 text-lg book:text-xl ${quiet ? "" : "text-ink-2"}`}>
        {chinese}
      </p>
    </div>
  );
}
