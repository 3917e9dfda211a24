import { useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { isOffline } from "#client/state/offline.ts";
import { Button } from "#client/ui/button.tsx";
import { ProgressBar } from "#client/ui/progress.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { getLanguageName, getTranslationTag, type TranslationLanguage } from "#shared/languages.ts";
import { quizQuestionsPerLectureMax } from "#shared/limits.ts";
import type { QuizLecture } from "#shared/quiz.ts";
import { type Translate, useT } from "./messages/index.ts";
import { useWriting, type WritingState } from "./use-writing.ts";

interface WritePanelProps {
  lectures: readonly QuizLecture[];
  /** The quiz is about one lecture. */
  isLecture: boolean;
  hasModel: boolean;
}

/** What questions can be written on, and how far the model is with them. */
export function WritePanel({ lectures, isLecture, hasModel }: WritePanelProps) {
  const t = useT();
  const language = useLanguage();
  const offline = useValue(isOffline);
  const { writing, write, stop } = useWriting();
  const [chosen, setChosen] = useState<TranslationLanguage | null>(null);
  const open = isLecture
    ? lectures.filter(({ questions }) => questions < quizQuestionsPerLectureMax)
    : lectures.filter(({ questions }) => questions === 0);
  const isWriting = writing.step === "writing";
  if (open.length === 0 && writing.step === "ready") return null;
  const languages = isLecture ? (open[0]?.languages ?? []) : [];
  const hasSome = lectures.some(({ questions }) => questions > 0);
  const canWrite = hasModel && !offline && open.length > 0;
  return (
    <section
      aria-label={t("quiz.writeTitle")}
      className="mt-8 grid gap-3 rounded-l bg-paper-2 px-5 py-4 max-sm:px-4"
    >
      <p role="status" className="tabular text-pretty text-ink-2">
        {describe(t, writing, { isLecture, hasSome, count: open.length, hasModel, offline })}
      </p>
      {isWriting ? <ProgressBar value={writing.done} max={Math.max(1, writing.lectures)} /> : null}
      {isWriting || canWrite ? (
        <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
          {!isWriting && languages.length > 1 ? (
            <LabelledSegments<TranslationLanguage>
              label={t("quiz.language")}
              value={chosen ?? languages[0] ?? "en"}
              options={languages.map((value) => ({
                value,
                label: getLanguageName(getTranslationTag(value), language),
              }))}
              onChange={setChosen}
            />
          ) : null}
          {isWriting ? (
            <Button onClick={stop}>{t("quiz.stop")}</Button>
          ) : (
            <Button
              look={hasSome ? "plain" : "ink"}
              onClick={() => void write(open, (lecture) => chosen ?? lecture.languages[0] ?? "en")}
            >
              {t(hasSome && isLecture ? "quiz.writeMore" : "quiz.write")}
            </Button>
          )}
        </div>
      ) : null}
    </section>
  );
}

function describe(
  t: Translate,
  { step, done, lectures, written, leftOut, problem }: WritingState,
  {
    isLecture,
    hasSome,
    count,
    hasModel,
    offline,
  }: { isLecture: boolean; hasSome: boolean; count: number; hasModel: boolean; offline: boolean },
): string {
  const left = leftOut > 0 ? ` ${t("quiz.leftOut", { count: leftOut })}` : "";
  if (step === "writing")
    return lectures > 1
      ? t("quiz.writingMany", { done: done + 1, lectures, count: written })
      : t("quiz.writing", { count: written });
  if (step === "finished")
    return written === 0
      ? `${t("quiz.none")}${left}`
      : `${t("quiz.written", { count: written })}${left}`;
  if (step === "stopped") {
    if (problem?.code === "lecture_full") return t("quiz.full");
    return problem ? t("quiz.failed", { reason: getErrorMessage(problem) }) : t("quiz.stopped");
  }
  if (!hasModel) return t("quiz.noModel");
  if (offline) return t("quiz.offline");
  if (!isLecture) return t("quiz.without", { count });
  return t(hasSome ? "quiz.more" : "quiz.explain");
}
