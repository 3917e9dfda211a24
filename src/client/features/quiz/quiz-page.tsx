import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { formatMoment } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { useTitle } from "#client/lib/title.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { isOffline } from "#client/state/offline.ts";
import { useSiteInfo } from "#client/state/queries.tsx";
import {
  deleteQuizQuestion,
  refetchQuiz,
  useQuiz,
  useQuizLectures,
  withWaitingReviews,
} from "#client/state/quiz.ts";
import { languageChoice, listLanguageEngines } from "#client/state/translators.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import type { QuizPage as Quiz, QuizLecture, QuizQuestion } from "#shared/quiz.ts";
import { chooseQuestion, findNextTime, listAsked } from "./choose-question.ts";
import { useT } from "./messages/index.ts";
import { QuestionView } from "./question-view.tsx";
import { WritePanel } from "./write-panel.tsx";

interface QuizPageProps {
  lectureId: string | null;
  /** With the folders in it. Both null: all lectures. */
  folderId: string | null;
}

/** The questions of a lecture, a folder or all lectures that are due, one after another. */
export default function QuizPage({ lectureId, folderId }: QuizPageProps) {
  const t = useT();
  useTitle(t("title.quiz"));
  const scope = { lectureId, folderId: lectureId === null ? folderId : null };
  const query = useQuiz(scope);
  const { data: lectures, ...lectureQuery } = useQuizLectures(scope);
  const { data: info } = useSiteInfo();
  const choice = useValue(languageChoice);
  const hasModel = info === undefined || listLanguageEngines(info, choice).includes("service");
  const { data } = query;
  const isGone =
    (query.isError && toApiError(query.error).code === "validation_failed") ||
    (lectures?.length === 0 && data?.total === 0);
  if (isGone)
    return (
      <Placeholder role="alert" title={t("quiz.nothing")} text={t("quiz.nothingHint")}>
        <Link to="/" className={getButtonClass()}>
          {t("quiz.toLectures")}
        </Link>
      </Placeholder>
    );
  return (
    <>
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{t("quiz.title")}</h1>
      {data ? (
        <Session
          key={`${lectureId} ${folderId}`}
          quiz={data}
          fetchedAt={query.dataUpdatedAt}
          scope={scope}
          lectures={lectures ?? null}
          hasModel={hasModel}
        />
      ) : query.isError && lectureQuery.isFetched ? (
        <Placeholder role="alert" title={t("quiz.loadFailed")} text={getErrorMessage(query.error)}>
          <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
        </Placeholder>
      ) : (
        <CardListSkeleton />
      )}
    </>
  );
}

interface SessionProps {
  quiz: Quiz;
  /** In ms since the epoch. */
  fetchedAt: number;
  scope: { lectureId: string | null; folderId: string | null };
  /** Null while they are loaded. */
  lectures: readonly QuizLecture[] | null;
  hasModel: boolean;
}

function Session({ quiz, fetchedAt, scope, lectures, hasModel }: SessionProps) {
  const t = useT();
  const language = useLanguage();
  const offline = useValue(isOffline);
  const [turnedAt, setTurnedAt] = useState(Date.now);
  const now = Math.max(turnedAt, fetchedAt);
  const [lastId, setLastId] = useState<string | null>(null);
  /** Stays as it is when the questions are fetched again. */
  const [shown, setShown] = useState<QuizQuestion | null>(null);
  /** Ids of deleted questions. */
  const [deleted, setDeleted] = useState<readonly string[]>([]);
  const questions = withWaitingReviews(quiz.items).filter(({ id }) => !deleted.includes(id));
  const next = shown ?? chooseQuestion(questions, { now, lastId });
  if (next !== shown) setShown(next);

  const isLecture = scope.lectureId !== null;
  const dueHere = listAsked(questions, now).length;
  // The page has those that are due first; if all of them are, there may be more.
  const due = quiz.nextCursor !== null && dueHere === questions.length ? quiz.due : dueHere;
  const isOver = shown === null;

  // What is due beyond the page comes with the next one.
  useEffect(() => {
    if (isOver && lastId !== null && !offline) void refetchQuiz();
  }, [isOver, lastId, offline]);

  function goOn(question: QuizQuestion) {
    setLastId(question.id);
    setTurnedAt(Date.now());
    setShown(null);
  }

  async function remove(question: QuizQuestion) {
    setDeleted([...deleted, question.id]);
    goOn(question);
    try {
      await deleteQuizQuestion(question);
    } catch (failure) {
      setDeleted((ids) => ids.filter((id) => id !== question.id));
      toastFailure(t("quiz.deleteFailed"), getErrorMessage(failure));
    }
  }

  const nextTime = findNextTime(questions);
  return (
    <>
      <p className="tabular pt-1.5 text-pretty text-ink-2">
        <ScopeName scope={scope} lectures={lectures} />
        {quiz.total > 0 ? <> · {t("quiz.counts", { due, total: quiz.total })}</> : null}
      </p>
      {shown ? (
        <QuestionView
          key={`${shown.id} ${shown.memory?.reviews ?? 0}`}
          question={shown}
          title={
            isLecture ? null : (lectures?.find(({ id }) => id === shown.lectureId)?.title ?? null)
          }
          hasModel={hasModel}
          takesFocus={lastId !== null}
          onNext={() => goOn(shown)}
          onDelete={() => void remove(shown)}
        />
      ) : quiz.total > 0 ? (
        <div role="status" className="mt-5 grid gap-1">
          <p className="font-semibold text-lg">{t("quiz.done")}</p>
          {nextTime === null ? null : (
            <p className="text-ink-2">
              {t("quiz.nextTime", {
                time: formatMoment(new Date(nextTime).toISOString(), language),
              })}
            </p>
          )}
        </div>
      ) : null}
      {lectures !== null && (isOver || !isLecture) ? (
        <WritePanel lectures={lectures} isLecture={isLecture} hasModel={hasModel} />
      ) : null}
    </>
  );
}

/** What the quiz is about, and the way there. */
function ScopeName({ scope, lectures }: Pick<SessionProps, "scope" | "lectures">) {
  const t = useT();
  const { tree } = useFolderTree();
  const { lectureId, folderId } = scope;
  const linkClass = "underline decoration-rule underline-offset-3 hover:decoration-current";
  if (lectureId !== null) {
    const title = lectures?.find(({ id }) => id === lectureId)?.title;
    if (title === undefined) return null;
    return (
      <Link dir="auto" to="/record" search={{ lecture: lectureId }} className={linkClass}>
        {title}
      </Link>
    );
  }
  const name = folderId === null ? t("quiz.allLectures") : tree?.byId.get(folderId)?.name;
  return <span dir="auto">{name}</span>;
}
