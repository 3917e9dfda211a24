import { vi } from "vitest";
import { type BackupSource, createBackup } from "#client/features/export/backup/create-backup.ts";
import { Backup } from "#client/features/import/backup/open-backup.ts";
import {
  planRestore,
  type RestoreTarget,
  runRestore,
} from "#client/features/import/backup/restore-backup.ts";
import type { BackupItem } from "#client/state/backup-format.ts";
import { appRouter } from "#server/app-router.ts";
import { AnswerBudget, type Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import { readPicture, storePicture } from "#server/slides/queries.ts";
import { createCallerFactory } from "#server/trpc.ts";
import { getHttpStatus, isErrorCode } from "#shared/errors.ts";
import type { Question } from "#shared/question.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import type { SlideKind } from "#shared/slides.ts";
import { BackupWorker } from "#tests/fixtures/backup-worker.ts";
import { createFakeContext, createSession } from "#tests/unit/server/support/fake-context.ts";
import { addUser } from "#tests/unit/server/support/test-database.ts";

type Server = RestoreTarget["server"];
type Call = (input: unknown) => Promise<unknown>;

/** What a call that fails rejects with, as the client of tRPC does. */
function toClientError(failure: unknown): unknown {
  const code = (failure as { message?: string }).message;
  const data = isErrorCode(code) ? { appCode: code, httpStatus: getHttpStatus(code) } : {};
  return Object.assign(new Error(code), { name: "TRPCClientError", data });
}

/** A new user's procedures, called as the page does, without HTTP. `sent` are the names of all calls. */
export async function openAccount(db: Database, over: Partial<Context> = {}) {
  const user = await addUser(db);
  const sent: string[] = [];
  const getProcedure = (path: string): Call => {
    // Each call is a request of its own.
    const { context } = createFakeContext(db, { session: createSession(user), ...over });
    const caller: unknown = createCallerFactory(appRouter)({
      ...context,
      answerBudget: new AnswerBudget(),
    });
    const [router = "", name = ""] = path.split(".");
    return (caller as Record<string, Record<string, Call>>)[router]?.[name] as Call;
  };
  const call = (path: string) => async (input: unknown) => {
    sent.push(path);
    // What crosses the wire is JSON.
    const json = input === undefined ? undefined : JSON.parse(JSON.stringify(input));
    try {
      const answer = await getProcedure(path)(json);
      return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
    } catch (failure) {
      throw toClientError(failure);
    }
  };
  const server = new Proxy(
    {},
    {
      get: (_, router: string) =>
        new Proxy(
          {},
          {
            get: (_routes, name: string) => ({
              query: call(`${router}.${name}`),
              mutate: call(`${router}.${name}`),
            }),
          },
        ),
    },
  ) as Server;
  const storage = {
    readPicture: async (id: string, kind: SlideKind) => {
      const { type, content } = await readPicture(db, { userId: user.id, id, kind });
      return new Blob([content], { type });
    },
    restorePicture: async (id: string, kind: SlideKind, picture: Blob) => {
      const content = await picture.bytes();
      await storePicture(db, { userId: user.id, id, kind, type: "image/webp", content });
    },
  };
  return { user, server, sent, ...storage };
}

function openBackup(zip: Blob): Promise<Backup> {
  vi.stubGlobal("Worker", BackupWorker);
  return Backup.open(zip, new AbortController().signal);
}

/** All of a lecture, which its parts have. */
async function readLecture(backup: Backup, item: BackupItem) {
  const { share, slides, parts } = await backup.readLecture(item);
  const { lecture, entries, marks, takes } = await backup.readPart(0);
  for (let index = 1; index < parts; index += 1) {
    const part = await backup.readPart(index);
    entries.push(...part.entries);
    marks.push(...part.marks);
    takes.push(...part.takes);
  }
  // The names of their files have their ids.
  const shown = slides.map(({ createdAt: _, files, ...slide }) => ({
    ...slide,
    has: files !== null,
  }));
  return { ...lecture, share, slides: shown, entries, marks, takes };
}

async function readQuestions(backup: Backup): Promise<Question[]> {
  const page = await backup.readQuestions();
  return page.length === 0 ? [] : [...page, ...(await readQuestions(backup))];
}

async function readQuiz(backup: Backup): Promise<QuizQuestion[]> {
  const page = await backup.readQuiz();
  return page.length === 0 ? [] : [...page, ...(await readQuiz(backup))];
}

const noSound = { listSound: async () => [], readSound: async () => new Blob() };

export async function exportAll(
  server: Server,
  readPicture: BackupSource["readPicture"] = async () => new Blob(),
): Promise<Blob> {
  const { signal } = new AbortController();
  const options = { untitled: "Untitled", signal, onProgress() {} };
  const { zip, failed } = await createBackup({ server, readPicture, ...noSound }, options);
  if (failed.length > 0) throw new Error(`not exported: ${failed}`);
  return zip;
}

export async function importAll(
  {
    server,
    user,
    restorePicture = async () => {},
  }: { server: Server; user: { id: string } } & Partial<Pick<RestoreTarget, "restorePicture">>,
  zip: Blob,
  signal = new AbortController().signal,
) {
  const sound = { restoreSound: async () => true };
  const target: RestoreTarget = { server, userId: user.id, restorePicture, ...sound };
  const plan = await planRestore(target, await openBackup(zip));
  const progress: number[] = [];
  const onProgress = (done: number) => void progress.push(done);
  const report = await runRestore(target, plan, { signal, onProgress });
  return { plan, report, progress };
}

/** Everything in a backup, with ids numbered in the order of what they name, so that copies compare equal. */
export async function readContent(zip: Blob) {
  const backup = await openBackup(zip);
  const { manifest } = backup;
  const lectures = [];
  for (const item of manifest.lectures) lectures.push(await readLecture(backup, item));
  const [terms, questions] = [await backup.readTerms(), await readQuestions(backup)];
  const content = {
    folders: manifest.folders.toSorted((a, b) => compare(a.name, b.name)),
    lectures: lectures.toSorted((a, b) => compare(a.title, b.title)),
    bytes: manifest.lectures.toSorted((a, b) => compare(a.title, b.title)).map((one) => one.bytes),
    terms: terms.toSorted((a, b) => compare(a.note, b.note)),
    questions: questions.toSorted((a, b) => compare(a.question, b.question)),
    quiz: (await readQuiz(backup)).toSorted((a, b) => compare(a.prompt, b.prompt)),
    instructions: manifest.summaryInstructions,
  };
  const numbers = new Map<string, number>();
  const text = JSON.stringify(content, (key, value: unknown) => {
    // Of a mark and a take, which are the same in each copy.
    if (key === "marks" || key === "takes")
      return (value as { id: string }[]).toSorted((a, b) => compare(a.id, b.id));
    return value;
  });
  return JSON.parse(
    text.replaceAll(/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, (id) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size);
      return `"id ${numbers.get(id)}"`;
    }),
  ) as typeof content;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A lecture without rows, as the import sends it. */
export const createRestoreInput = (lecture: { summary?: string; originalText?: string } = {}) => ({
  lecture: {
    ...({ id: crypto.randomUUID(), title: "x", titleSource: "person", status: "draft" } as const),
    folderId: null,
    createdAt: "2026-11-20T08:00:00.000Z",
    updatedAt: "2026-11-20T08:00:00.000Z",
    excerpt: "",
    translatedExcerpt: "",
    ...({ sourceLanguage: "en", targetLanguage: "fr", isTwoWay: false, usedTime: 0 } as const),
    hasDemoText: false,
    summary: null,
    context: null,
    speakerNames: {},
    actionItems: [],
    originalText: "",
    translatedText: "",
    ...lecture,
  },
  from: 0,
  entries: [],
  marks: [],
  takes: [],
  isFirst: true,
  isLast: true,
});
