import { lectures, transcriptEntries } from "#drizzle/schema.ts";
import { createDemoAnswer } from "#local/llm/demo.ts";
import { appRouter } from "#server/app-router.ts";
import type { Database } from "#server/database.ts";
import type { Llm } from "#server/ports.ts";
import { createCallerFactory } from "#server/trpc.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { AnswerEvent, AskInput, QuestionScope } from "#shared/question.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

type Sentence = string | { original: string; translated: string; into: TranslationLanguage };

/** A lecture with a row of 5 s for each sentence. */
export async function addRows(
  db: Database,
  userId: string,
  sentences: readonly Sentence[],
  {
    title = "Optics",
    folderId,
    targetLanguage = "fr",
  }: {
    title?: string;
    folderId?: string;
    targetLanguage?: TargetLanguage;
  } = {},
): Promise<string> {
  const id = crypto.randomUUID();
  await db
    .insert(lectures)
    .values({ id, userId, title, targetLanguage, folderId: folderId ?? null });
  if (sentences.length === 0) return id;
  await db.insert(transcriptEntries).values(
    sentences.map((one, ordinal) => ({
      lectureId: id,
      ordinal,
      startMs: ordinal * 5_000,
      endMs: ordinal * 5_000 + 4_000,
      ...(typeof one === "string"
        ? { original: one, translated: "" }
        : { original: one.original, translated: one.translated, translatedInto: one.into }),
    })),
  );
  return id;
}

export const ofLecture = (lectureId: string): QuestionScope => ({ lectureId, folderId: null });
export const ofFolder = (folderId: string): QuestionScope => ({ lectureId: null, folderId });
export const ofAll: QuestionScope = { lectureId: null, folderId: null };

export const createQuestion = (scope: QuestionScope, over: Partial<AskInput> = {}): AskInput => ({
  id: crypto.randomUUID(),
  scope,
  kind: "asked",
  question: "How fast is light in glass?",
  follows: null,
  answerIn: "en",
  ...over,
});

type Answerer = (prompt: { system: string; user: string }) => string | AsyncIterable<string>;

/** A signed-in user whose model answers with `answer`, by default as the stand-in. `prompts` are what it was sent. */
export async function openUser(db: Database, answer: Answerer = createDemoAnswer) {
  const user = await addUser(db);
  const prompts: { system: string; user: string }[] = [];
  const model = { answer, contextTokens: 128_000 };
  const llm: Llm = {
    get contextTokens() {
      return model.contextTokens;
    },
    complete: async () => "",
    async *stream(prompt) {
      prompts.push(prompt);
      const answered = model.answer(prompt);
      if (typeof answered === "string") yield* answered.match(/.{1,7}/gsu) ?? [];
      else yield* answered;
    },
  };
  let now = Date.parse("2026-11-20T12:00:00.000Z");
  const clock = { now: () => new Date(now) };
  const { context } = createFakeContext(db, { session: createSession(user), llm, clock });
  const caller = createCallerFactory(appRouter)(context);
  return {
    userId: user.id,
    prompts,
    context,
    caller,
    model,
    ask: async (input: AskInput) => {
      now += 1_000;
      return readEvents(await caller.ask.ask(input));
    },
  };
}

/** What a stream has sent, and how it ended. */
async function readEvents(stream: AsyncIterable<AnswerEvent>) {
  const events: AnswerEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, ...toAnswer(events), failure: null };
  } catch (failure) {
    return { events, ...toAnswer(events), failure };
  }
}

/** The statements that have ended. */
function toAnswer(events: readonly AnswerEvent[]) {
  const statements: { text: string; quote: string; rows: string[] }[] = [];
  let open: (typeof statements)[number] | null = null;
  for (const event of events) {
    if (event.kind === "begin")
      open = { text: "", quote: event.quote, rows: event.rows.map(({ original }) => original) };
    else if (event.kind === "text" && open) open.text += event.text;
    else if (event.kind === "end" && open) statements.push(open);
  }
  const last = events.at(-1);
  const nearest = last?.kind === "not_said" ? last.nearest.map(({ original }) => original) : null;
  return { statements, nearest };
}
