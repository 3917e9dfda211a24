import { useQuery } from "@tanstack/react-query";
import { formatClock } from "#client/lib/dates.ts";
import { fetchAll } from "#client/state/fetch-lecture.ts";
import { trpc } from "#client/state/trpc.ts";
import { getUserId } from "#client/state/visitor.ts";
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

/** What a question asks in front, with its choices, and its answer on the back. */
function toExportedCard({ id, prompt, choices, answer, rows }: QuizQuestion): ExportedCard {
  const startMs = rows[0]?.startMs ?? 0;
  return {
    id: `${id} quiz`,
    front: [prompt, ...choices.map((choice) => `– ${choice}`)].join("\n"),
    back: answer,
    sentence: rows.map(({ text }) => text.trim()).join(" "),
    time: startMs > 0 ? formatClock(startMs / 1_000) : "",
    note: "",
  };
}
