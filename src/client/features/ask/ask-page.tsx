import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { useQuestions } from "#client/state/ask.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import { getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import type { CitedRow } from "#shared/question.ts";
import { AskBox } from "./ask-box.tsx";
import type { Entry } from "./conversation.ts";
import { Chip, EarlierQuestions, getStatus } from "./conversation-view.tsx";
import { DeleteAll } from "./delete-all.tsx";
import { useT } from "./messages/index.ts";
import { QuestionEntry } from "./question-entry.tsx";
import { useConversation } from "./use-conversation.ts";
import { useLibraryQuestions } from "./use-library-questions.ts";

const headingClass = "pt-7 pb-2.5 font-[550] text-ink-3 text-sm";

/** The questions about the lectures of a folder and of those below it; `folderId` null: about all lectures. */
export default function AskPage({ folderId }: { folderId: string | null }) {
  const t = useT();
  const { error } = useQuestions({ lectureId: null, folderId });
  if (error && toApiError(error).code === "not_found")
    return (
      <Placeholder role="alert" title={t("ask.goneFolder")} text={t("ask.goneFolderHint")}>
        <Link to="/ask" className={getButtonClass()}>
          {t("ask.toRoot")}
        </Link>
      </Placeholder>
    );
  return (
    <>
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{t("ask.title")}</h1>
      <p className="pt-1.5 text-pretty text-ink-2">{t("ask.text")}</p>
      <Questions key={folderId} folderId={folderId} />
    </>
  );
}

function Questions({ folderId }: { folderId: string | null }) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const { tree } = useFolderTree();
  const scope = { lectureId: null, folderId };
  const { conversation, query, entries, isLoaded, isAnswering, lastAskedId, ...asking } =
    useConversation({
      scope,
      answerIn: language === "zh" ? "zh-cn" : "en",
      prepare: async () => true,
    });
  /** The answer that the next question follows up. */
  const [followed, setFollowed] = useState<Entry | null>(null);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const examples = useLibraryQuestions(folderId).filter((example) =>
    entries.every(({ question }) => question !== example),
  );
  const newest = entries.at(-1);

  function ask(question: string) {
    const isThere = entries.some(({ id }) => id === followed?.id);
    asking.ask("asked", question, isThere ? (followed?.id ?? null) : null);
    setFollowed(null);
  }

  function openRow({ lectureId, position, startMs }: CitedRow) {
    void navigate({
      to: "/record",
      search: { lecture: lectureId, row: position },
      // Back returns to the answer.
      state: { fromList: true, rowStartMs: startMs },
    });
  }

  return (
    <>
      <AskBox
        conversation={conversation}
        field={field}
        tree={tree}
        folderId={folderId}
        followed={followed?.question ?? null}
        onUnfollow={() => setFollowed(null)}
        isAnswering={isAnswering}
        onAsk={ask}
      />
      <p role="status" className="sr-only">
        {getStatus(newest, t)}
      </p>
      {/* The answer to a question that was asked here takes their place. */}
      {examples.length > 0 && lastAskedId === null ? (
        <section aria-labelledby="examples">
          <h2 id="examples" className={headingClass}>
            {t("ask.examples")}
          </h2>
          <ul className="flex flex-wrap gap-2">
            {examples.map((example) => (
              <li key={example} className="max-w-full">
                <Chip
                  dir="auto"
                  lang={language}
                  disabled={isAnswering}
                  onClick={() => ask(example)}
                >
                  {example}
                </Chip>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {newest || !isLoaded || query.isError ? (
        <h2 className={headingClass}>{t("ask.lastQuestions")}</h2>
      ) : null}
      <ol className="grid grid-cols-[minmax(0,1fr)]">
        {entries.toReversed().map((entry) => (
          <li
            key={entry.id}
            data-question={entry.id}
            className="border-rule border-t py-3 first:border-0 first:pt-0"
          >
            <QuestionEntry
              entry={entry}
              isLecture={false}
              isFolded={folds.get(entry.id) ?? entry !== newest}
              onFold={(isFolded) => setFolds(new Map(folds).set(entry.id, isFolded))}
              preview={<Preview entry={entry} />}
              {...(entry.state === "done" && {
                action: (
                  <TextButton
                    onClick={() => {
                      setFollowed(entry);
                      field.current?.focus();
                    }}
                    className="text-ink-2 text-sm hover:text-ink"
                  >
                    {t("ask.further")}
                  </TextButton>
                ),
              })}
              {...(isAnswering ? {} : { onRetry: () => asking.retry(entry) })}
              onDelete={() => void asking.remove(entry)}
              onOpen={openRow}
            />
          </li>
        ))}
      </ol>
      <EarlierQuestions query={query} />
      <p className="pt-4">
        <DeleteAll scope={scope} />
      </p>
    </>
  );
}

/** The first line of an answer, and when it was given. */
function Preview({ entry }: { entry: Entry }) {
  const t = useT();
  const language = useLanguage();
  const { statements, state, createdAt, answeredIn } = entry;
  const [first] = statements;
  return (
    <>
      {first ? (
        <p
          {...getTextLanguage(getTranslationTag(answeredIn))}
          className="line-clamp-1 wrap-anywhere"
        >
          {first.text}
        </p>
      ) : state === "done" ? (
        <p>{t("ask.notSaid")}</p>
      ) : null}
      <p className="text-ink-3 text-sm">{formatMoment(createdAt, language)}</p>
    </>
  );
}
