import { CirclePlay } from "lucide-react";
import { EnginesInUse } from "#client/features/recording/engine-notice.tsx";
import { useField } from "#client/lib/signal.ts";
import type { ShownText } from "#client/reading/shown-texts.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { BilingualRow, englishClass, translationClass } from "#client/ui/bilingual.tsx";
import { Button } from "#client/ui/button.tsx";
import { languages } from "#shared/languages.ts";
import { sampleOpening } from "#shared/sample-lecture.ts";
import { useT } from "./messages/index.ts";
import { playSample } from "./sample-controls.tsx";

interface IntroductionProps {
  session: RecordingSession;
  texts: readonly ShownText[];
}

/** What an empty page will hold, as an example in the chosen language, and an offer to see it at work. */
export default function Introduction({ session, texts }: IntroductionProps) {
  const t = useT();
  const target = useField(session.view, "targetLanguage");
  const columns = texts.length > 1 ? "two" : "one";
  return (
    <>
      <figure className="mt-5 text-ink-live">
        <figcaption className="font-[550] font-ui text-xs book:ml-22">
          {t("sample.example")}
        </figcaption>
        {sampleOpening.slice(0, 3).map(({ english, translations }) => (
          <BilingualRow key={english} columns={columns} time={null} isNewSpeaker={false}>
            {texts.map((text) =>
              text === "english" || target === "none" ? (
                <p key={text} lang="en" className={englishClass}>
                  {english}
                </p>
              ) : (
                <p
                  key={text}
                  lang={languages[target].tag}
                  dir={languages[target].dir}
                  className={translationClass}
                >
                  {translations[target]}
                </p>
              ),
            )}
          </BilingualRow>
        ))}
      </figure>
      <Button className="mt-4 font-ui book:ml-22" onClick={() => playSample(session)}>
        <CirclePlay className="size-4.5" aria-hidden="true" />
        {t("sample.play")}
      </Button>
      <EnginesInUse session={session} />
    </>
  );
}
