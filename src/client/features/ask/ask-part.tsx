import { useNavigate } from "@tanstack/react-router";
import { GraduationCap, WalletCards } from "lucide-react";
import { useEffect, useRef } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { type PartProps, readingDialog } from "#client/reading/reading-state.ts";
import { openRow } from "#client/reading/search-target.ts";
import { DataProvider } from "#client/state/queries.tsx";
import { SignInOffer } from "#client/ui/sign-in-offer.tsx";
import { type TranslationLanguage, toTranslationLanguage } from "#shared/languages.ts";
import { Chip, ConversationView } from "./conversation-view.tsx";
import { DeleteAll } from "./delete-all.tsx";
import { useT } from "./messages/index.ts";
import { useFirstQuestions } from "./use-first-questions.ts";

const frameClass = "px-5 max-book:px-4";

/** The questions about a lecture. */
export default function AskPart({ signedIn, ...part }: PartProps & { signedIn: boolean }) {
  const t = useT();
  const id = useField(part.lecture.view, "lecture")?.id ?? null;
  if (!signedIn || id === null)
    return (
      <SignInOffer className={`${frameClass} py-5`}>
        <p className="text-pretty text-ink-2 text-md">{t("ask.guest")}</p>
      </SignInOffer>
    );
  return (
    <DataProvider>
      <LectureConversation {...part} id={id} />
    </DataProvider>
  );
}

function LectureConversation({ lecture, takesFocus, showText, id }: PartProps & { id: string }) {
  const t = useT();
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const answerIn = useAnswerLanguage(lecture);
  const firstQuestions = useFirstQuestions(lecture);
  const scope = { lectureId: id, folderId: null };

  async function openQuiz() {
    // The questions are on what is stored.
    await lecture.saveNow();
    await navigate({ to: "/quiz", search: { lecture: id } });
  }

  useEffect(() => {
    // A field that is focused opens the keyboard of a phone over the text.
    if (takesFocus && !window.matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, [takesFocus]);

  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]">
      <ConversationView
        scope={scope}
        answerIn={answerIn}
        prepare={() => lecture.saveNow()}
        field={field}
        placeholder={t("ask.aboutLecture")}
        frameClass={frameClass}
        hint={t("ask.emptyLecture")}
        firstQuestions={firstQuestions}
        actions={
          <span className="flex flex-wrap gap-2">
            <Chip onClick={() => void openQuiz()}>
              <GraduationCap className="size-4 shrink-0 text-ink-3" />
              {t("ask.quiz")}
            </Chip>
            <Chip onClick={() => readingDialog.set({ kind: "flashcards" })}>
              <WalletCards className="size-4 shrink-0 text-ink-3" />
              {t("ask.flashcards")}
            </Chip>
          </span>
        }
        end={<DeleteAll scope={scope} />}
        onOpen={(row) => {
          showText();
          openRow(row);
        }}
      />
    </div>
  );
}

/** The lecture's target language; without one the language that is spoken in it. */
function useAnswerLanguage(lecture: LectureDocument): TranslationLanguage {
  const target = useField(lecture.view, "targetLanguage");
  const source = useField(lecture.view, "sourceLanguage");
  const blocks = useValue(lecture.transcript.blocks);
  if (target !== "none") return target;
  const spoken = source === "detect" ? (blocks[0]?.rows[0]?.spokenIn ?? "en") : source;
  return toTranslationLanguage(spoken);
}
