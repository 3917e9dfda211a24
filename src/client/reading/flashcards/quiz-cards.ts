import { useQuery } from "@tanstack/react-query";
import { callServer } from "#client/lib/call-server.ts";
import { formatClock } from "#client/lib/dates.ts";
import { fetchAll } from "#client/state/fetch-lecture.ts";
import { queryClient } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { getUserId } from "#client/state/visitor.ts";
import { quizCardAnswerMaxLength, quizIdsPerCallMax, quizPromptMaxLength } from "#shared/limits.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import type { ExportedCard } from "./cards.ts";

/** The questions of the quiz on a stored lecture, as cards of a file; without a network there are none. */
export function useQuizCards(lectureId: string | null): ExportedCard[] {
  const { data = [] } = useQuery({
    queryKey: ["quizCards", lectureId],
    queryFn: ({ signal }) =>
      fetchAll<QuizQuestion>((cursor) =>
        trpc.quiz.list.query({ scope: { lectureId, folderId: null }, cursor }, { signal }),
      ),
    enabled: lectureId !== null && getUserId() !== null,
    staleTime: 0,
  });
  return data.map(toExportedCard);
}

/** Has cards asked with the questions on the lecture. @returns how many there are more @throws ApiError */
export async function keepCards(
  lectureId: string,
  cards: readonly ExportedCard[],
): Promise<number> {
  let count = 0;
  for (let from = 0; from < cards.length; from += quizIdsPerCallMax) {
    const part = cards.slice(from, from + quizIdsPerCallMax).map(({ rowId, front, back }) => ({
      id: crypto.randomUUID(),
      rowId,
      prompt: front.slice(0, quizPromptMaxLength),
      answer: back.slice(0, quizCardAnswerMaxLength),
    }));
    count += await callServer(() => trpc.quiz.addCards.mutate({ lectureId, cards: part }));
  }
  await queryClient.invalidateQueries({ queryKey: ["quizCards", lectureId] });
  return count;
}

/** What a question asks in front, with its choices, and its answer on the back. */
function toExportedCard({ id, prompt, choices, answer, rows }: QuizQuestion): ExportedCard {
  const startMs = rows[0]?.startMs ?? 0;
  return {
    id: `${id} quiz`,
    rowId: rows[0]?.id ?? "",
    front: [prompt, ...choices.map((choice) => `– ${choice}`)].join("\n"),
    back: answer,
    sentence: rows.map(({ text }) => text.trim()).join(" "),
    time: startMs > 0 ? formatClock(startMs / 1_000) : "",
    note: "",
  };
}
