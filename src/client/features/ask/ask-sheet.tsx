import { type RefObject, useEffect, useRef } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { readingDialog } from "#client/reading/reading-state.ts";
import { openRow, searchTarget } from "#client/reading/search-target.ts";
import { type OpenSheetProps, Sheet } from "#client/reading/sheet.tsx";
import { DataProvider } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { SignInOffer } from "#client/ui/sign-in-offer.tsx";
import { type TranslationLanguage, toTranslationLanguage } from "#shared/languages.ts";
import { ConversationView } from "./conversation-view.tsx";
import { DeleteAll } from "./delete-all.tsx";
import { useT } from "./messages/index.ts";
import { useFirstQuestions } from "./use-first-questions.ts";

const frameClass = "px-5 max-book:px-4";

/** The questions about a lecture beside its rows; at the page's lower edge, where a row is still seen above it. */
export default function AskSheet({
  lecture,
  opener,
  onClose,
  signedIn,
}: OpenSheetProps & { signedIn: boolean }) {
  const t = useT();
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useField(lecture.view, "lecture")?.id ?? null;
  const scope = { lectureId: id, folderId: null };
  const isAskable = signedIn && id !== null;
  return (
    <DataProvider>
      <Sheet
        title={t("ask.title")}
        closeLabel={t("ask.hide")}
        opener={opener}
        firstFocus={field}
        onClose={onClose}
        tools={isAskable ? <DeleteAll scope={scope} /> : null}
        className={
          isAskable
            ? "grid-rows-[auto_minmax(0,1fr)_auto] @max-[62rem]:h-[calc(66%-var(--bars))]"
            : "content-start"
        }
      >
        {isAskable ? (
          <LectureConversation lecture={lecture} id={id} field={field} />
        ) : (
          <SignInOffer className={`${frameClass} pt-1 pb-5`}>
            <p className="text-pretty text-ink-2 text-md">{t("ask.guest")}</p>
          </SignInOffer>
        )}
      </Sheet>
    </DataProvider>
  );
}

interface LectureConversationProps {
  lecture: LectureDocument;
  id: string;
  field: RefObject<HTMLTextAreaElement | null>;
}

function LectureConversation({ lecture, id, field }: LectureConversationProps) {
  const t = useT();
  const answerIn = useAnswerLanguage(lecture);
  const firstQuestions = useFirstQuestions(lecture);

  useSheetHeight(field);

  // The row that an answer led to is no longer marked when the answer is gone.
  useEffect(() => () => searchTarget.set(null), []);

  return (
    <ConversationView
      scope={{ lectureId: id, folderId: null }}
      answerIn={answerIn}
      prepare={() => lecture.saveNow()}
      field={field}
      frameClass={frameClass}
      hint={t("ask.emptyLecture")}
      firstQuestions={firstQuestions}
      actions={
        <Button
          look="quiet"
          size="small"
          onClick={() => readingDialog.set({ kind: "flashcards" })}
          className="px-1.5!"
        >
          {t("ask.flashcards")}
        </Button>
      }
      onOpen={openRow}
    />
  );
}

/** At the page's lower edge the sheet covers rows: those that are opened come above it, see `text-below-head`. */
function useSheetHeight(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const sheet = field.current?.closest<HTMLElement>("[data-sheet]");
    if (!sheet) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const height = (sheet.offsetParent?.clientHeight ?? 0) - sheet.offsetTop;
      // Beside the rows it is as high as the page.
      style.setProperty("--sheet-height", `${sheet.offsetTop > 0 ? height : 0}px`);
    });
    observer.observe(sheet);
    return () => {
      observer.disconnect();
      style.removeProperty("--sheet-height");
    };
  }, [field]);
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
