import { Popover } from "@base-ui/react/popover";
import { AArrowDown, AArrowUp, Maximize2 } from "lucide-react";
import type { ReactElement } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import {
  changeReadingSize,
  getNextSize,
  type ReadingFace,
  type ReadingMode,
  readingFace,
  readingMode,
  readingSize,
  setReadingFace,
  setReadingMode,
  setTranslationFirst,
  translationFirst,
} from "#client/state/preferences.ts";
import { getButtonClass, IconButton } from "#client/ui/button.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import type { LanguagePair } from "#shared/languages.ts";
import { useT } from "./dialog-messages/index.ts";
import type { ColumnNames } from "./use-languages.ts";

interface ReadingOptionsProps {
  isTranslated: boolean;
  pair: LanguagePair;
  names: ColumnNames;
  /** The text is in full screen. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  trigger: ReactElement;
}

/** Which texts are shown, their size and typeface. Loaded by the first click on its button, so it starts open. */
export default function ReadingOptions({
  expanded,
  onExpand,
  trigger,
  ...fields
}: ReadingOptionsProps) {
  const t = useT();
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="end" className="z-25 outline-none">
          <Popover.Popup
            aria-label={t("reading.options")}
            className="grid max-h-(--available-height) w-80 max-w-(--available-width) gap-4 overflow-y-auto rounded-m border border-rule bg-sheet p-4 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <ReadingFields {...fields} />
            {expanded ? null : (
              <Popover.Close
                aria-keyshortcuts="f"
                onClick={() => onExpand(true)}
                className={`${getButtonClass()} whitespace-normal!`}
              >
                <Maximize2 className="size-4" />
                {t("reading.expandTranscript")}
              </Popover.Close>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The options themselves. */
export function ReadingFields({
  isTranslated,
  ...languages
}: Pick<ReadingOptionsProps, "isTranslated" | "pair" | "names">) {
  const t = useT();
  const size = useValue(readingSize);
  const face = useValue(readingFace);
  return (
    <>
      {isTranslated ? <Languages {...languages} /> : null}
      <div className="grid gap-1.5">
        <span className="font-medium text-ink-2 text-sm">{t("reading.size")}</span>
        <div className="flex items-center">
          <SizeButton step={-1} />
          <output className="tabular min-w-12 text-center text-ink-2">{size}</output>
          <SizeButton step={1} />
        </div>
      </div>
      <LabelledSegments<ReadingFace>
        label={t("reading.face")}
        value={face}
        options={[
          { value: "sans", label: t("reading.sans") },
          { value: "serif", label: t("reading.serif"), className: "font-reading" },
        ]}
        onChange={setReadingFace}
      />
    </>
  );
}

function Languages({ pair, names }: Pick<ReadingOptionsProps, "pair" | "names">) {
  const t = useT();
  const nameTarget = useTargetName();
  const texts = [
    {
      value: "translation",
      label: pair.isTwoWay ? nameTarget(pair.targetLanguage) : t("reading.modeTranslation"),
    },
    { value: "original", label: names.originalName },
  ] as const;
  const mode = useValue(readingMode);
  const isTranslationFirst = useValue(translationFirst);
  return (
    <>
      <div className="grid gap-1.5">
        <LabelledSegments<ReadingMode>
          label={t("reading.mode")}
          value={mode}
          options={[{ value: "both", label: t("reading.modeBoth") }, ...texts]}
          onChange={setReadingMode}
        />
        <p className="text-ink-3 text-xs">{t("reading.modeHint")}</p>
      </div>
      <LabelledSegments
        label={t("reading.order")}
        value={isTranslationFirst ? "translation" : "original"}
        options={texts.toReversed()}
        onChange={(first) => setTranslationFirst(first === "translation")}
      />
    </>
  );
}

/** Makes the text one step larger (1) or smaller (-1). */
function SizeButton({ step }: { step: 1 | -1 }) {
  const t = useT();
  const size = useValue(readingSize);
  const Icon = step === 1 ? AArrowUp : AArrowDown;
  return (
    <IconButton
      icon={Icon}
      iconClass="size-4.5"
      label={t(step === 1 ? "reading.textLarger" : "reading.textSmaller")}
      disabled={getNextSize(size, step) === null}
      onClick={() => changeReadingSize(step)}
      className="border border-rule"
    />
  );
}
