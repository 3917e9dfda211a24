import { useCallback, useEffect, useRef, useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { writeFlashcards } from "#client/state/stream-answer.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { flashcardItemsMax, partTextMaxLength } from "#shared/limits.ts";
import { type CardSource, toItem } from "./card-sources.ts";
import { type Card, listTermCards, sortCards } from "./cards.ts";

export interface WritingState {
  step: "ready" | "writing" | "stopped" | "finished";
  /** Sources that the model has been asked about. */
  done: number;
  /** Questions that it has written. */
  written: number;
  /** Why it stopped; null: the person has stopped it. */
  problem: ErrorCode | null;
}

const noneWritten: WritingState = { step: "ready", done: 0, written: 0, problem: null };

/** The cards of `sources`: those of terms, and the questions that the model writes when it is asked to. */
export function useCards(sources: readonly CardSource[]) {
  const [cards, setCards] = useState(() => listTermCards(sources));
  const [writing, setWriting] = useState<WritingState>(noneWritten);
  const asked = useRef(new Set<string>());
  const written = useRef(0);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  const show = (step: WritingState["step"], problem: ErrorCode | null = null) =>
    setWriting({ step, done: asked.current.size, written: written.current, problem });

  /** Asks for what the model was not asked about yet. */
  async function write(language: TranslationLanguage) {
    const controller = new AbortController();
    const { signal } = controller;
    work.current = controller;
    show("writing");
    try {
      for (const part of splitIntoParts(sources.filter(({ id }) => !asked.current.has(id)))) {
        const items = part.map(toItem);
        for await (const { id, question, answer } of writeFlashcards({ items, language }, signal)) {
          signal.throwIfAborted();
          const source = part.find((one) => one.id === id);
          if (!source || asked.current.has(id)) continue;
          asked.current.add(id);
          written.current += 1;
          const card = {
            id,
            kind: "question",
            source,
            question,
            answer,
            isLeftOut: false,
          } as const;
          setCards((before) => sortCards([...before, card]));
          show("writing");
        }
        signal.throwIfAborted();
        for (const { id } of part) asked.current.add(id);
        show("writing");
      }
      show("finished");
    } catch (failure) {
      if (!signal.aborted) show("stopped", toApiError(failure).code);
    }
  }

  function stop() {
    work.current?.abort();
    show("stopped");
  }

  const change = useCallback(
    (id: string, next: Partial<Card>) =>
      setCards((before) => before.map((card) => (card.id === id ? { ...card, ...next } : card))),
    [],
  );

  return { cards, change, writing, write, stop };
}

/** Parts that one call takes. */
function splitIntoParts(sources: readonly CardSource[]): CardSource[][] {
  const parts: CardSource[][] = [];
  let length = 0;
  for (const source of sources) {
    const { sentence, translated, before, after, note, term } = toItem(source);
    const texts = [sentence, translated, before, after, note, term?.source, term?.target];
    const added = texts.join("").length;
    const last = parts.at(-1);
    if (last && last.length < flashcardItemsMax && length + added <= partTextMaxLength) {
      last.push(source);
      length += added;
    } else {
      parts.push([source]);
      length = added;
    }
  }
  return parts;
}
