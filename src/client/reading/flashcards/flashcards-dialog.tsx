import { useMemo, useState } from "react";
import { getLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toSafeName } from "#client/lib/file-names.ts";
import { useBusy, useField } from "#client/lib/hooks.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import type { LectureFormProps } from "#client/reading/reading-state.ts";
import { download } from "#client/state/download.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import { withData } from "#client/state/queries.tsx";
import { getUserId } from "#client/state/visitor.ts";
import { Button } from "#client/ui/button.tsx";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { buttonsClass, Dialog, dialogEndClass, footerClass } from "#client/ui/dialog.tsx";
import { LabelledSegments } from "#client/ui/segments.tsx";
import { CardRow } from "./card-row.tsx";
import { listCardSources } from "./card-sources.ts";
import {
  type Card,
  type Direction,
  directions,
  type ExportedCard,
  listExportedCards,
} from "./cards.ts";
import { toAnki, toCardsCsv } from "./files.ts";
import { useT } from "./messages/index.ts";
import { keepCards, useQuizCards } from "./quiz-cards.ts";
import { useCards } from "./use-cards.ts";
import { WritingStatus } from "./writing-status.tsx";

export default withData(FlashcardsDialog);

/**
 * Makes flashcards of marked sentences and terms, which a person edits and exports. The stored
 * questions of the quiz are exported with them, and cards can be kept there to be asked.
 */
function FlashcardsDialog({ lecture, onClose }: LectureFormProps) {
  const t = useT();
  // As it is now: the cards stay what the person has seen of them.
  const [sources] = useState(() => readSources(lecture));
  const { cards, change, writing, write, stop } = useCards(sources);
  const [direction, setDirection] = useState<Direction>("term");
  const [isLeaving, setIsLeaving] = useState(false);
  /** What was exported last; other cards would be lost. */
  const [saved, setSaved] = useState<readonly Card[]>(cards);

  const lectureId = useField(lecture.view, "lecture")?.id ?? null;
  const quizCards = useQuizCards(lectureId);
  const own = useMemo(() => listExportedCards(cards, direction), [cards, direction]);
  const isKept = ({ front, back }: ExportedCard) =>
    quizCards.some((one) => one.front === front && one.back === back);
  const exported = [...own.filter((card) => !isKept(card)), ...quizCards];
  const [isKeeping, keep] = useBusy();
  const isEmpty = sources.length === 0 && quizCards.length === 0;
  const hasTerms = cards.some(({ kind }) => kind === "term");
  const isUnsaved = cards !== saved || writing.step === "writing";
  const leave = () => (isUnsaved ? setIsLeaving(true) : onClose());

  async function learn(id: string) {
    try {
      // A card names a stored row.
      await lecture.saveNow();
      const count = await keepCards(id, own);
      setSaved(cards);
      toast({ kind: "success", title: t("flashcards.learned", { count }) });
    } catch (failure) {
      toastFailure(t("flashcards.learnFailed"), getErrorMessage(failure));
    }
  }

  async function save(format: "anki" | "csv") {
    const { lecture: stored } = lecture.view.get();
    const title = stored ? getPageTitle(stored, getLanguage()) : "";
    const name = title || t("flashcards.title");
    const text = format === "anki" ? toAnki(exported, name) : toCardsCsv(exported, name);
    const type = format === "anki" ? "text/plain;charset=utf-8" : "text/csv;charset=utf-8";
    const file = `${toSafeName(name, t("flashcards.title"))}${format === "anki" ? " (Anki).txt" : ".csv"}`;
    if (!(await download(new Blob([text], { type }), file))) return;
    setSaved(cards);
    toast({
      kind: "success",
      title: t("flashcards.exported"),
      ...(format === "anki" && { description: t("flashcards.ankiHint") }),
    });
  }

  return (
    <Dialog open onClose={leave} title={t("flashcards.title")} isWide={!isEmpty}>
      {isEmpty ? (
        <>
          <p className="text-pretty text-ink-2">{t("flashcards.none")}</p>
          <div className={footerClass}>
            <Button look="ink" onClick={onClose}>
              {t("common.ok")}
            </Button>
          </div>
        </>
      ) : (
        <div className="flex min-w-0 flex-col gap-4">
          {sources.length > 0 ? (
            <WritingStatus
              lecture={lecture}
              sources={sources}
              writing={writing}
              stop={stop}
              write={(to) => void write(to)}
            />
          ) : null}
          {cards.length > 0 ? (
            <ul aria-label={t("flashcards.list")} className="grid min-w-0 border-rule border-t">
              {cards.map((card) => (
                <CardRow key={card.id} card={card} onChange={change} />
              ))}
            </ul>
          ) : null}
          {quizCards.length > 0 ? (
            <p className="text-pretty text-ink-2">
              {t("flashcards.quiz", { count: quizCards.length })}
            </p>
          ) : null}
          {cards.length > 0 || quizCards.length > 0 ? (
            <div className={`${dialogEndClass} grid gap-3`}>
              <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
                {hasTerms ? (
                  <LabelledSegments<Direction>
                    label={t("flashcards.direction")}
                    value={direction}
                    options={directions.map((value) => ({
                      value,
                      label: t(`flashcards.direction.${value}`),
                    }))}
                    onChange={setDirection}
                  />
                ) : null}
                <p role="status" className="tabular grow py-1.5 text-end text-ink-2 text-sm">
                  {t("flashcards.count", { count: exported.length })}
                </p>
              </div>
              <div className={buttonsClass}>
                {lectureId === null || getUserId() === null ? null : (
                  <Button
                    disabled={own.length === 0 || isKeeping}
                    onClick={() => void keep(() => learn(lectureId))}
                  >
                    {t("flashcards.learn")}
                  </Button>
                )}
                <Button
                  disabled={exported.length === 0}
                  onClick={() => void save("csv").catch(notifyLoadFailure)}
                >
                  {t("flashcards.csv")}
                </Button>
                <Button
                  look="ink"
                  disabled={exported.length === 0}
                  onClick={() => void save("anki").catch(notifyLoadFailure)}
                >
                  {t("flashcards.anki")}
                </Button>
              </div>
            </div>
          ) : null}
        </div>
      )}
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setIsLeaving(false)}
        title={t("flashcards.leave")}
        text={t("flashcards.leaveText")}
        confirmLabel={t("flashcards.discard")}
        onConfirm={onClose}
      />
    </Dialog>
  );
}

function readSources(lecture: LectureDocument) {
  const { sourceLanguage, targetLanguage, isTwoWay } = lecture.view.get();
  return listCardSources({
    rows: lecture.transcript.rows(),
    marks: lecture.marks.get(),
    terms: lecture.terms.get(),
    languages: { sourceLanguage, targetLanguage, isTwoWay },
  });
}
