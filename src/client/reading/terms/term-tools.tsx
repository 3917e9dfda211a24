import { useEffect, useEffectEvent, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { listen } from "#client/lib/listen.ts";
import { lookUpRow, type PageProps } from "#client/reading/reading-state.ts";
import { findRow, findRowAt } from "#client/reading/use-rows.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import type { LookUpInput } from "#client/state/look-up.ts";
import { DataProvider } from "#client/state/queries.tsx";
import { LookUpCard } from "./look-up-card.tsx";
import { readSelectedWords, type SelectedWords, selectByKey } from "./selected-words.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { TermCard } from "./term-card.tsx";
import { createDraft, createLookUp, findTerm, type TermDraft } from "./term-draft.ts";
import { useCorrectionOffer } from "./use-correction-offer.ts";
import { useSelectedWords } from "./use-selection.ts";
import { WordPicker } from "./word-picker.tsx";

export interface TermToolsProps extends PageProps {
  /** A guest has no glossary. */
  signedIn: boolean;
}

type OpenCard =
  | { kind: "lookUp"; selected: SelectedWords; input: LookUpInput }
  | { kind: "term"; draft: TermDraft; lookUp: LookUpInput | null; range: Range };

/** What can be done with words that are selected in rows: a bar beside them, and the card that it opens. */
export function TermTools({ lecture, page, signedIn }: TermToolsProps) {
  const pair = useValue(lecture.view);
  const terms = useValue(lecture.terms);
  const language = useLanguage();
  const loading = useField(lecture.view, "busy") === "loading";
  const { selected, keepOnPress, end } = useSelectedWords(page, lecture);
  const [card, setCard] = useState<OpenCard | null>(null);
  const picked = useValue(lookUpRow);
  // Its words are those of another lecture.
  if (loading && card !== null) setCard(null);
  function close() {
    end();
    setCard(null);
  }

  function openLookUp(words: SelectedWords) {
    setCard({
      kind: "lookUp",
      selected: words,
      input: createLookUp(words, pair, pair.context.trim()),
    });
  }

  function openTerm(words: SelectedWords, translation?: string) {
    const draft = createDraft(terms, words, pair, translation);
    const isComplete = draft.into === null || (draft.term !== "" && draft.translation !== "");
    setCard({
      kind: "term",
      draft,
      lookUp: isComplete ? null : createLookUp(words, pair, pair.context.trim()),
      range: words.range,
    });
  }

  useCorrectionOffer(terms, signedIn, (found, row) => {
    const element = page.current && findRowAt(page.current, row.position);
    if (!element) return;
    const range = document.createRange();
    range.selectNodeContents(element.querySelector("p") ?? element);
    const text = found.term === "" ? "translation" : "original";
    const words = found.term || (found.translation ?? "");
    openTerm({ words, row, text, range }, text === "original" ? (found.translation ?? "") : "");
  });

  /** Without selected words, a key selects the first one of the row that has the focus. */
  function withWords(run: (words: SelectedWords) => void) {
    if (selected) return run(selected);
    const row = findRow(document.activeElement);
    if (row && page.current?.contains(row)) selectByKey(row, 0, false);
  }
  useShortcuts({
    l: () => withWords(openLookUp),
    ...(signedIn && { g: () => withWords((words) => openTerm(words)) }),
  });

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (!selected || card || event.isComposing) return;
    if (event.key === "Escape") {
      // The panel in full screen stays open.
      event.preventDefault();
      event.stopPropagation();
      end();
    }
    const row = findRow(document.activeElement);
    const step = ({ ArrowRight: 1, ArrowLeft: -1 } as const)[event.key];
    if (step === undefined || !row || event.target !== row || event.ctrlKey || event.metaKey)
      return;
    const isRightToLeft = selected.range.startContainer.parentElement?.dir === "rtl";
    event.preventDefault();
    selectByKey(row, isRightToLeft ? (step === 1 ? -1 : 1) : step, event.shiftKey);
  });
  useEffect(() => listen(window, "keydown", handleKey, { capture: true }), []);

  function lookUpSelection() {
    const blocks = lecture.transcript.blocks.get();
    const words = page.current && readSelectedWords(window.getSelection(), page.current, blocks);
    lookUpRow.set(null);
    if (words) openLookUp(words);
  }
  // A row that was corrected or left is another element.
  useEffect(() => () => lookUpRow.set(null), []);
  if (card === null && picked?.isConnected)
    return (
      <WordPicker
        key={picked.dataset.row}
        row={picked}
        onPick={lookUpSelection}
        onClose={() => lookUpRow.set(null)}
      />
    );

  if (card === null)
    return selected ? (
      <SelectionBar
        selected={selected}
        page={page}
        onAdd={signedIn ? () => openTerm(selected) : null}
        onLookUp={() => openLookUp(selected)}
        onPress={keepOnPress}
      />
    ) : null;
  if (card.kind === "lookUp") {
    const { selected: words, input } = card;
    return (
      <LookUpCard
        input={input}
        page={page}
        range={words.range}
        existing={findTerm(terms, words, pair)}
        onAdd={signedIn ? (translation) => openTerm(words, translation) : null}
        onClose={close}
      />
    );
  }
  const info = pair.lecture;
  return (
    <DataProvider>
      <TermCard
        draft={card.draft}
        lookUp={card.lookUp}
        folderId={info?.folderId ?? null}
        lectureTitle={info ? getPageTitle(info, language) : ""}
        page={page}
        range={card.range}
        onClose={close}
      />
    </DataProvider>
  );
}
