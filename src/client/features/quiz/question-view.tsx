import { Check, X } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";
import { listen } from "#client/lib/listen.ts";
import { Button } from "#client/ui/button.tsx";
import { showFormulas } from "#client/ui/lazy-formula.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { getTextLanguage, getTranslationTag, unknownTextLanguage } from "#shared/languages.ts";
import { quizAnswerMaxLength } from "#shared/limits.ts";
import { clozeGap, type QuizQuestion } from "#shared/quiz.ts";
import { orderChoices } from "./choose-question.ts";
import { type Translate, useT } from "./messages/index.ts";
import { Sentences } from "./sentences.tsx";
import { type AnswerState, useAnswer } from "./use-answer.ts";

interface QuestionViewProps {
  question: QuizQuestion;
  /** Of its lecture; null where the quiz is about that alone. */
  title: string | null;
  hasModel: boolean;
  /** The question before was answered here, so the focus belongs to this one. */
  takesFocus: boolean;
  onNext: () => void;
  onDelete: () => void;
}

/** One question, and once it is answered its answer with the sentences that this rests on. */
export function QuestionView(props: QuestionViewProps) {
  const { question, title, hasModel, takesFocus, onNext, onDelete } = props;
  const t = useT();
  const { state, answer, reveal, decide, save } = useAnswer(question, { hasModel });
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const isAsked = state.step === "asked";
  // A card may ask in one language and answer in another.
  const tag =
    question.kind === "card"
      ? unknownTextLanguage
      : getTextLanguage(getTranslationTag(question.language));

  useEffect(() => {
    if (!takesFocus) return;
    // The keyboard of a phone would cover the question.
    const hasKeyboard = !window.matchMedia("(pointer: coarse)").matches;
    const target = hasKeyboard ? (field.current ?? heading.current) : heading.current;
    target?.focus();
  }, [takesFocus]);

  return (
    <article aria-labelledby="quiz-question" className="mt-5">
      <p className="text-ink-3 text-sm wrap-anywhere">
        {t(`quiz.kind.${question.kind}`)}
        {title === null ? null : <span dir="auto"> · {title}</span>}
      </p>
      <h2
        {...tag}
        ref={heading}
        id="quiz-question"
        tabIndex={-1}
        className="pt-1.5 pb-4 text-pretty font-semibold text-lg leading-relaxed outline-none wrap-anywhere"
      >
        <Prompt text={question.prompt} />
      </h2>
      {question.kind === "choice" ? (
        <Choices question={question} state={state} onChoose={(choice) => void answer(choice)} />
      ) : isAsked && question.kind === "card" ? (
        <Button look="ink" onClick={reveal}>
          {t("quiz.show")}
        </Button>
      ) : isAsked ? (
        <TypedAnswer question={question} field={field} onAnswer={(text) => void answer(text)} />
      ) : null}
      <p role="status" className={isAsked ? "sr-only" : "pt-4"}>
        <Verdict question={question} state={state} />
      </p>
      {state.step === "compared" ? (
        <div className="flex flex-wrap gap-2 pt-3">
          <FocusedButton onClick={() => decide(true)}>{t("quiz.knew")}</FocusedButton>
          <Button onClick={() => decide(false)}>{t("quiz.didNotKnow")}</Button>
        </div>
      ) : null}
      {state.step === "answered" || state.step === "compared" ? (
        <div className="pt-3">
          <Sentences question={question} />
        </div>
      ) : null}
      {state.step === "answered" ? (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3 pt-5">
          <FocusedButton
            look="ink"
            onClick={() => {
              // What is asked next depends on it.
              save();
              onNext();
            }}
          >
            {t("quiz.next")}
          </FocusedButton>
          {question.kind === "choice" ? null : (
            <TextButton
              onClick={() => decide(!state.isRight)}
              className="text-ink-2 text-sm hover:text-ink"
            >
              {t(state.isRight ? "quiz.countWrong" : "quiz.countRight")}
            </TextButton>
          )}
          <TextButton onClick={onDelete} className="text-ink-3 text-sm hover:text-ink">
            {t("quiz.delete")}
          </TextButton>
        </div>
      ) : null}
    </article>
  );
}

/** A prompt whose gaps are read as such. */
function Prompt({ text }: { text: string }) {
  const t = useT();
  return text.split(clozeGap).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces stay as they are
    <span key={at}>
      {at > 0 ? (
        <span className="mx-0.5 inline-block min-w-16 border-ink-3 border-b-2">
          <span className="sr-only">{t("quiz.gap")}</span>&nbsp;
        </span>
      ) : null}
      {showFormulas(piece)}
    </span>
  ));
}

interface ChoicesProps {
  question: QuizQuestion;
  state: AnswerState;
  onChoose: (choice: string) => void;
}

/** The choices, which the keys 1, 2, … take as well. */
function Choices({ question, state, onChoose }: ChoicesProps) {
  const t = useT();
  const [choices] = useState(() => orderChoices(question));
  const isAsked = state.step === "asked";
  const given = state.step === "asked" ? null : state.answer;
  const choose = useEffectEvent((event: KeyboardEvent) => {
    if (!isAsked || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, [role=menu]"))
      return;
    const choice = choices[Number(event.key) - 1];
    if (choice === undefined) return;
    event.preventDefault();
    onChoose(choice);
  });
  useEffect(() => listen(window, "keydown", (event) => choose(event)), []);
  return (
    <ol className="grid gap-2">
      {choices.map((choice, at) => {
        const isRight = !isAsked && choice === question.answer;
        const isWrong = !isAsked && choice === given && !isRight;
        return (
          <li key={choice}>
            <button
              type="button"
              disabled={!isAsked}
              aria-keyshortcuts={String(at + 1)}
              onClick={() => onChoose(choice)}
              className={`flex min-h-11 w-full items-center gap-3 rounded-m border px-4 py-2 text-start leading-snug transition-colors duration-150 ease-quiet ${isRight ? "border-jade bg-jade-wash text-ink" : isWrong ? "border-warn bg-warn-wash text-ink" : "border-rule-control bg-sheet text-ink enabled:hover:bg-paper-3 disabled:text-ink-2"}`}
            >
              <span className="grid size-5 shrink-0 place-items-center text-ink-3 text-sm tabular-nums">
                {isRight ? (
                  <Check
                    role="img"
                    aria-label={t("quiz.rightChoice")}
                    className="size-4.5 text-jade"
                  />
                ) : isWrong ? (
                  <X role="img" aria-label={t("quiz.wrongChoice")} className="size-4.5 text-warn" />
                ) : (
                  at + 1
                )}
              </span>
              <span
                {...getTextLanguage(getTranslationTag(question.language))}
                className="min-w-0 wrap-anywhere"
              >
                {showFormulas(choice)}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

interface TypedAnswerProps {
  question: QuizQuestion;
  field: RefObject<HTMLInputElement | null>;
  onAnswer: (text: string) => void;
}

function TypedAnswer({ question, field, onAnswer }: TypedAnswerProps) {
  const t = useT();
  const [text, setText] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") onAnswer(text.trim());
      }}
      className="grid gap-3"
    >
      <input
        {...getTextLanguage(getTranslationTag(question.language))}
        ref={field}
        value={text}
        onChange={(event) => setText(event.target.value)}
        maxLength={quizAnswerMaxLength}
        aria-label={t("quiz.answer")}
        aria-describedby="quiz-question"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        className={inputClass}
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button look="ink" type="submit" disabled={text.trim() === ""}>
          {t("quiz.check")}
        </Button>
        <TextButton onClick={() => onAnswer("")} className="text-ink-2 text-sm hover:text-ink">
          {t("quiz.dontKnow")}
        </TextButton>
      </div>
    </form>
  );
}

/** Whether the answer is right, why, and what the right one is. */
function Verdict({ question, state }: { question: QuizQuestion; state: AnswerState }): ReactNode {
  const t = useT();
  const space = useSentenceSpace();
  if (state.step === "asked") return null;
  if (state.step === "graded") return <span className="text-ink-2">{t("quiz.grading")}</span>;
  const { answer } = question;
  const isTyped = question.kind !== "choice";
  return (
    <>
      {state.step === "answered" ? (
        <b className={`font-semibold ${state.isRight ? "text-jade" : "text-warn"}`}>
          {t(state.isRight ? "quiz.right" : "quiz.wrong")}
          {space}
        </b>
      ) : null}
      <span className="text-ink wrap-anywhere">
        {isTyped || (state.step === "answered" && !state.isRight)
          ? `${t("quiz.rightAnswer", { answer })}${space}`
          : null}
      </span>
      <span className="text-ink-2 wrap-anywhere">
        {isTyped && state.answer !== "" && state.answer !== answer
          ? `${t("quiz.youWrote", { answer: state.answer })}${space}`
          : null}
        {explain(t, state)}
      </span>
    </>
  );
}

function explain(t: Translate, state: AnswerState): string {
  if (state.step === "compared") return t("quiz.compare");
  if (state.step !== "answered") return "";
  const { judge, reason } = state;
  if (judge === "typo") return t("quiz.typo");
  return judge === "model" && reason !== "" ? t("quiz.modelSays", { reason }) : "";
}

/** Takes the focus, so that Enter goes on. */
function FocusedButton(props: Parameters<typeof Button>[0]) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return <Button {...props} ref={button} />;
}
