import { ApiError, toApiError } from "#client/lib/call-server.ts";
import { Signal } from "#client/lib/signal.ts";
import { addToStatements, type ShownStatement } from "#client/reading/answers/shown-statements.ts";
import { addQuestion, streamAnswer } from "#client/state/ask.ts";
import { getUserId, visitor } from "#client/state/visitor.ts";
import type { AnswerEvent, AskInput, CitedRow, Question, QuestionScope } from "#shared/question.ts";

/** `saving`: the lecture is saved before it is asked. `stopped`: by the person, or because the page was left. */
type AnswerState = "saving" | "answering" | "done" | "stopped" | "failed";

/** A question of this tab, while it is answered and after that. */
export interface AskedQuestion {
  input: AskInput;
  state: AnswerState;
  /** What the model searches for; null while it does not. */
  search: string | null;
  statements: ShownStatement[];
  /** Of an answer without statements. */
  nearest: CitedRow[];
  /** Why it failed. */
  failure: ApiError | null;
}

/** Why a lecture was not asked: the cause of an `ApiError`. */
export class LectureNotSavedError extends Error {
  override readonly name = "LectureNotSavedError";
}

const begun = { search: null, statements: [], nearest: [], failure: null };

/** What is asked of one lecture, folder or library in this tab. It outlasts the page that shows it. */
export class Conversation {
  /** In the order in which they were asked. */
  readonly asked = new Signal<readonly AskedQuestion[]>([]);
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
    const { id } = input;
    const asked = this.asked.get();
    const question: AskedQuestion = { input, state: "saving", ...begun };
    this.asked.set([...asked.filter((one) => one.input.id !== id), question]);
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
    if (failure === null) await this.#keep(id);
    if (this.#running !== running) return;
    this.#running = null;
    this.#end(id, failure === null ? "done" : "failed", failure);
  }

  /** Ends the answer; what is checked of it stays. */
  stop(): void {
    const open = this.asked.get().find(isOpen);
    this.#running?.abort();
    this.#running = null;
    if (open) this.#end(open.input.id, "stopped", null);
  }

  /** Takes a question of this tab away, and ends its answer. */
  remove(id: string): void {
    const isRunning = this.asked.get().some((one) => one.input.id === id && isOpen(one));
    if (isRunning) this.stop();
    this.asked.set(this.asked.get().filter(({ input }) => input.id !== id));
  }

  clear(): void {
    this.stop();
    this.asked.set([]);
  }

  #update(id: string, change: (question: AskedQuestion) => Partial<AskedQuestion>): void {
    this.asked.set(
      this.asked.get().map((one) => (one.input.id === id ? { ...one, ...change(one) } : one)),
    );
  }

  #end(id: string, state: AnswerState, failure: ApiError | null): void {
    this.#update(id, ({ statements }) => ({
      ...{ state, failure, search: null },
      statements: statements.filter(({ isChecked }) => isChecked),
    }));
  }

  async #keep(id: string): Promise<void> {
    const question = this.asked.get().find(({ input }) => input.id === id);
    if (question) await addQuestion(toQuestion(question));
  }
}

export const isOpen = ({ state }: Pick<AskedQuestion, "state">): boolean =>
  state === "saving" || state === "answering";

function applyEvent(question: AskedQuestion, event: AnswerEvent): Partial<AskedQuestion> {
  if (event.kind === "search") return { search: event.words };
  if (event.kind === "not_said") return { nearest: event.nearest, search: null };
  return { statements: addToStatements(question.statements, event), search: null };
}

/** What the server keeps of an answered question. */
function toQuestion({ input, statements, nearest }: AskedQuestion): Question {
  const { answerIn, ...asked } = input;
  return {
    ...asked,
    statements: statements.flatMap(({ isChecked, ...statement }) => (isChecked ? statement : [])),
    nearest,
    answeredIn: answerIn,
    createdAt: new Date().toISOString(),
  };
}

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
