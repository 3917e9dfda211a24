import { ApiError, toApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/observable.ts";
import { addToStatements, type ShownStatement } from "#client/reading/answers/shown-statements.ts";
import { addQuestion, streamAnswer } from "#client/state/ask.ts";
import { getUserId, visitor } from "#client/state/visitor.ts";
import type { AnswerEvent, AskInput, Question, QuestionScope } from "#shared/question.ts";

/** `saving`: the lecture is saved before it is asked. `stopped`: by the person, or because the page was left. */
type AnswerState = "saving" | "answering" | "done" | "stopped" | "failed";

/** A question with its answer, as it is shown. */
export interface Entry extends Omit<Question, "statements"> {
  state: AnswerState;
  /** What the model searches for; null while it does not. */
  search: string | null;
  statements: ShownStatement[];
  /** Why it failed. */
  failure: ApiError | null;
}

/** Why a lecture was not asked: the cause of an `ApiError`. */
export class LectureNotSavedError extends Error {
  override readonly name = "LectureNotSavedError";
}

/** What is asked of one lecture, folder or library in this tab. It outlasts the page that shows it. */
export class Conversation {
  /** In the order in which they were asked. */
  readonly asked = new Signal<readonly Entry[]>([]);
  /** What is typed and not asked yet. */
  readonly draft = new Signal("");
  /** The next question follows up no answer. */
  readonly isNew = new Signal(false);
  /** Where it was scrolled to when it was last shown; null before. */
  scrollTop: number | null = null;
  #running: AbortController | null = null;

  constructor(readonly scope: QuestionScope) {}

  get isAnswering(): boolean {
    return this.#running !== null;
  }

  /**
   * Asks a question, or again one whose answer broke off. `prepare` saves what is asked; false: that failed. Never
   * rejects. Ignored while another one is answered.
   */
  async ask(input: AskInput, prepare: () => Promise<boolean>): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    const { answerIn: answeredIn, ...asked } = input;
    const { id } = asked;
    const question: Entry = {
      ...asked,
      answeredIn,
      statements: [],
      nearest: [],
      createdAt: new Date().toISOString(),
      state: "saving",
      search: null,
      failure: null,
    };
    this.asked.set([...this.asked.get().filter((one) => one.id !== id), question]);
    this.isNew.set(false);
    let failure: ApiError | null = null;
    try {
      if (!(await prepare()))
        throw new ApiError("unavailable", true, { cause: new LectureNotSavedError() });
      if (this.#running !== running) return;
      this.#update(id, () => ({ state: "answering" }));
      for await (const event of streamAnswer(input, running.signal)) {
        if (this.#running !== running) return;
        this.#update(id, (one) => applyEvent(one, event));
      }
    } catch (error) {
      failure = toApiError(error);
    }
    if (this.#running !== running) return;
    const answered = this.asked.get().find((one) => one.id === id);
    if (failure === null && answered) await addQuestion(toQuestion(answered));
    if (this.#running !== running) return;
    this.#running = null;
    this.#end(id, failure === null ? "done" : "failed", failure);
  }

  /** Ends the answer; what is checked of it stays. */
  stop(): void {
    const open = this.asked.get().find(isOpen);
    this.#running?.abort();
    this.#running = null;
    if (open) this.#end(open.id, "stopped", null);
  }

  /** Takes a question of this tab away, and ends its answer. */
  remove(id: string): void {
    if (this.asked.get().find(isOpen)?.id === id) this.stop();
    this.asked.set(this.asked.get().filter((one) => one.id !== id));
  }

  clear(): void {
    this.stop();
    this.asked.set([]);
  }

  #update(id: string, change: (question: Entry) => Partial<Entry>): void {
    const update = (one: Entry) => (one.id === id ? { ...one, ...change(one) } : one);
    this.asked.set(this.asked.get().map(update));
  }

  #end(id: string, state: AnswerState, failure: ApiError | null): void {
    this.#update(id, ({ statements }) => ({
      state,
      failure,
      search: null,
      statements: statements.filter(({ isChecked }) => isChecked),
    }));
  }
}

export const isOpen = ({ state }: Pick<Entry, "state">): boolean =>
  state === "saving" || state === "answering";

function applyEvent(question: Entry, event: AnswerEvent): Partial<Entry> {
  if (event.kind === "search") return { search: event.words };
  if (event.kind === "not_said") return { nearest: event.nearest, search: null };
  return { statements: addToStatements(question.statements, event), search: null };
}

/** What the server keeps of an answered question. */
function toQuestion({ state: _, search: __, failure: ___, ...entry }: Entry): Question {
  return {
    ...entry,
    statements: entry.statements.flatMap(({ isChecked, ...one }) => (isChecked ? one : [])),
  };
}

/**
 * The kept questions, oldest first, and those of this tab behind them: a question keeps its place while it is answered
 * and kept. One that was kept, and that another tab has deleted, is gone.
 *
 * @param kept newest first; null until they are read
 */
export function listEntries(kept: readonly Question[] | null, asked: readonly Entry[]): Entry[] {
  const keptIds = kept && new Set(kept.map(({ id }) => id));
  const askedIds = new Set(asked.map(({ id }) => id));
  return [
    ...(kept ?? [])
      .filter(({ id }) => !askedIds.has(id))
      .map(toEntry)
      .reverse(),
    ...asked.filter(({ state, id }) => state !== "done" || keptIds?.has(id) !== false),
  ];
}

const toEntry = (question: Question): Entry => ({
  ...question,
  state: "done",
  search: null,
  failure: null,
  statements: question.statements.map((one) => ({ ...one, isChecked: true })),
});

const conversations = new Map<string, Conversation>();
let userId = getUserId();

export function getConversation(scope: QuestionScope): Conversation {
  const key = scope.lectureId ?? scope.folderId ?? "";
  const conversation = conversations.get(key) ?? new Conversation(scope);
  conversations.set(key, conversation);
  return conversation;
}

// Another user must not see what the one before has asked.
visitor.subscribe(() => {
  if (userId === getUserId()) return;
  userId = getUserId();
  for (const conversation of conversations.values()) conversation.stop();
  conversations.clear();
});
