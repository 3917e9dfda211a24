import { useId } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { keepsStills } from "#client/sound/display/display-picture.ts";
import { canShareSound } from "#client/sound/display/display-stream.ts";
import {
  type SoundChoice,
  soundChoice,
  sourceLevels,
} from "#client/sound/display/sound-sources.ts";
import { visitor } from "#client/state/visitor.ts";
import { Switch } from "#client/ui/switch.tsx";
import { useT } from "./dialog-messages/index.ts";

type Kind = SoundChoice["kind"];

const kinds = ["microphone", "display", "both"] as const satisfies readonly Kind[];

/** Fetched with the choice: Record must open the browser's list of tabs while its click still counts. */
const loadCapture = () =>
  import("#client/sound/display/mixed-capture.ts").catch((cause: unknown) =>
    console.warn("The code for the sound of tabs could not be fetched yet", cause),
  );

/** The choice between the microphone and the sound of a tab; where that cannot be recorded, why. */
export function SoundChoiceField() {
  const t = useT();
  const id = useId();
  const chosen = useValue(soundChoice)?.kind ?? "microphone";
  const support = canShareSound();
  const isUser = useValue(visitor).kind === "user";
  const keepsSlides = useValue(keepsStills);
  const counts = useValue(sourceLevels)?.counts;

  function choose(kind: Kind) {
    const names = { microphone: t("settings.microphone"), display: t("sound.tab") };
    soundChoice.set(kind === "microphone" ? null : { kind, names });
    if (kind !== "microphone") void loadCapture();
  }

  return (
    <>
      <fieldset className="grid">
        <legend className="mb-1 font-medium">{t("sound.source")}</legend>
        {kinds.map((kind) => {
          const isDisabled = kind !== "microphone" && support !== "yes";
          const isExplained = chosen === kind && kind !== "microphone";
          const inputId = `${id}-${kind}`;
          return (
            <div
              key={kind}
              className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2.5 pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                id={inputId}
                name={id}
                checked={chosen === kind}
                disabled={isDisabled}
                onChange={() => choose(kind)}
                aria-describedby={
                  isExplained ? `${inputId}-hint` : isDisabled ? `${id}-why` : undefined
                }
                className="touch-target size-4 accent-(--ink)"
              />
              <label
                htmlFor={inputId}
                className={`py-2 ${isDisabled ? "text-ink-3" : "cursor-pointer"}`}
              >
                {t(`sound.${kind}`)}
              </label>
              {isExplained ? (
                <div
                  id={`${inputId}-hint`}
                  className="col-start-2 grid gap-1 pb-2 text-pretty text-ink-3 text-sm"
                >
                  <p>{t("sound.displayHint")}</p>
                  {kind === "both" ? <p>{t("sound.bothHint")}</p> : null}
                  {kind === "both" && counts && counts.rows > 0 ? (
                    <p className="tabular">{t("sound.counts", counts)}</p>
                  ) : null}
                </div>
              ) : null}
            </div>
          );
        })}
        <p id={`${id}-why`} className="mt-1 text-pretty text-ink-3 text-sm">
          {t(support === "yes" ? "sound.appliesNext" : `sound.${support}`)}
        </p>
      </fieldset>
      {isUser && chosen !== "microphone" ? (
        <Switch
          label={t("sound.stills")}
          hint={t("sound.stillsHint")}
          checked={keepsSlides}
          onChange={(on) => keepsStills.set(on)}
        />
      ) : null}
    </>
  );
}
