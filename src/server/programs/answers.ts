import type { inferRouterOutputs } from "@trpc/server";
import * as z from "zod/mini";
import type { AppRouter } from "#server/app-router.ts";
import { themes } from "#shared/account.ts";
import { actionItems } from "#shared/action-item.ts";
import { recognizers } from "#shared/engine-languages.ts";
import { termOrigins } from "#shared/glossary.ts";
import {
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
  translationLanguages,
} from "#shared/languages.ts";
import {
  lectureStatuses,
  mark,
  rowFormula,
  titleSources,
  transcriptEntry,
  uuid,
} from "#shared/lecture.ts";
import { memberRoles } from "#shared/people.ts";
import { billingIntervals, paymentStates, subscriptionStatuses, tiers } from "#shared/plans.ts";
import { questionKinds, questionScope } from "#shared/question.ts";
import { quizQuestion } from "#shared/quiz.ts";
import { recordedTake } from "#shared/recorded-take.ts";
import { searchPage } from "#shared/search.ts";
import { shareModes } from "#shared/share.ts";
import { newSlide } from "#shared/slides.ts";
import { deletionKinds } from "#shared/trash.ts";

/**
 * What procedures answer, for programs that are written by the description; of a stream, one of its pieces. Nothing is
 * checked with these schemas when a procedure is called: their types are those of the procedures, or this file does not
 * compile.
 */

/** ISO 8601. */
const moment = z.iso.datetime();
const count = z.int().check(z.nonnegative());

/** No data. */
export const nothing = z.undefined();

const toPage = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.nullable(z.string()) });

const listItem = z.object({
  id: uuid,
  title: z.string(),
  titleSource: z.enum(titleSources),
  status: z.enum(lectureStatuses),
  folderId: z.nullable(uuid),
  createdAt: moment,
  updatedAt: moment,
  excerpt: z.string(),
  translatedExcerpt: z.string(),
  sourceLanguage: z.enum(sourceLanguages),
  targetLanguage: z.enum(targetLanguages),
  isTwoWay: z.boolean(),
  usedTime: count,
  hasDemoText: z.boolean(),
});

/** Of another person's lecture. */
const access = z.object({ role: z.enum(memberRoles), owner: z.string() });

const lecturePage = z.extend(listItem, {
  summary: z.nullable(z.string()),
  context: z.nullable(z.string()),
  speakerNames: z.record(z.string(), z.string()),
  actionItems,
  originalText: z.string(),
  translatedText: z.string(),
  entries: z.array(transcriptEntry),
  seq: count,
  combinedContent: z.exactOptional(
    z.array(
      z.object({
        original: z.string(),
        translated: z.string(),
        speaker: z.exactOptional(z.string()),
      }),
    ),
  ),
  nextCursor: z.nullable(count),
  deletedIds: z.exactOptional(z.array(uuid)),
  access: z.exactOptional(access),
});

const title = z.object({ title: z.string() });

const citedRows = z.array(
  z.object({
    lectureId: uuid,
    title: z.string(),
    position: count,
    startMs: count,
    original: z.string(),
    spokenIn: z.enum(spokenLanguages),
    translated: z.string(),
    translatedInto: z.nullable(z.enum(translationLanguages)),
  }),
);

const questionPage = toPage(
  z.object({
    id: uuid,
    scope: questionScope,
    kind: z.enum(questionKinds),
    question: z.string(),
    follows: z.nullable(uuid),
    statements: z.array(z.object({ text: z.string(), rows: citedRows, quote: z.string() })),
    nearest: citedRows,
    answeredIn: z.enum(translationLanguages),
    createdAt: moment,
  }),
);

/** The pieces of a statement after its beginning. */
const statementPieces = [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("end") }),
  z.object({ kind: z.literal("drop") }),
] as const;

const answerEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("search"), words: z.string() }),
  z.object({ kind: z.literal("begin"), rows: citedRows, quote: z.string() }),
  ...statementPieces,
  z.object({ kind: z.literal("not_said"), nearest: citedRows }),
]);

const recapPiece = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("begin"), rows: z.array(z.string()), quote: z.string() }),
  ...statementPieces,
  z.object({ kind: z.literal("other"), value: z.record(z.string(), z.unknown()) }),
]);

const term = z.object({
  id: uuid,
  folderId: z.nullable(uuid),
  language: z.enum(spokenLanguages),
  term: z.string(),
  translations: z.partialRecord(z.enum(translationLanguages), z.string()),
  note: z.string(),
  origin: z.object({ kind: z.enum(termOrigins), name: z.string() }),
  position: count,
  isLeftOut: z.boolean(),
});

const folder = z.object({ id: uuid, name: z.string(), lectures: count });
const lectureCounts = { total: count, uncategorized: count };

const deletion = z.object({ id: z.nullable(uuid), lectures: count, folders: count });

const share = z.object({
  id: uuid,
  lectureId: uuid,
  mode: z.enum(shareModes),
  mayCopy: z.boolean(),
  showsSlides: z.boolean(),
  createdAt: moment,
  readers: count,
  readersMax: count,
  languagesMax: count,
  hasLargerPlan: z.boolean(),
});
const slides = z.array(
  z.extend(newSlide, { lectureId: uuid, hasPictures: z.boolean(), createdAt: moment }),
);
const createdShare = z.extend(share, { code: z.string() });

const described = {
  actionItems: { find: z.object({ items: actionItems, leftOut: count }) },
  ai: {
    context: z.object({ context: z.string(), title: z.nullable(z.string()) }),
    flashcards: z.object({ id: z.string(), question: z.string(), answer: z.string() }),
    formulas: z.object({ formulas: z.array(rowFormula), refused: count }),
    lookUp: z.object({ meaning: z.string(), translation: z.string() }),
    proposeTerms: z.array(
      z.object({ term: z.string(), translation: z.string(), note: z.string() }),
    ),
    recap: recapPiece,
    summarize: z.string(),
    translate: z.object({ translatedText: z.string() }),
    translateRows: z.object({
      rows: z.array(z.object({ id: z.string(), translated: z.string() })),
      digest: z.string(),
    }),
  },
  ask: { ask: answerEvent, list: questionPage, delete: nothing },
  backups: {
    capacity: z.object({ bytes: z.int(), lectures: z.int() }),
    lecture: z.object({
      lecture: lecturePage,
      marks: toPage(mark),
      takes: toPage(recordedTake),
      slides,
      share: z.nullable(z.pick(share, { mode: true, mayCopy: true, showsSlides: true })),
    }),
    terms: toPage(term),
    questions: questionPage,
    quiz: toPage(quizQuestion),
    restoreLecture: z.boolean(),
    restoreQuestions: count,
    restoreQuiz: count,
  },
  folders: {
    list: z.object({
      ...lectureCounts,
      folders: z.array(z.extend(folder, { parentFolderId: z.nullable(uuid), createdAt: moment })),
    }),
    chips: z.object({
      ...lectureCounts,
      folders: z.array(folder),
      nextCursor: z.nullable(z.string()),
    }),
    create: nothing,
    rename: nothing,
    move: nothing,
    delete: deletion,
  },
  glossary: {
    get: z.object({ folderIds: z.array(z.nullable(uuid)), terms: z.array(term) }),
    change: nothing,
  },
  lectures: {
    create: listItem,
    list: z.extend(toPage(listItem), { total: z.nullable(count) }),
    get: lecturePage,
    item: listItem,
    names: z.object({
      userId: uuid,
      lectures: z.array(z.object({ id: uuid, title: z.string(), isDeleted: z.boolean() })),
    }),
    saveRows: z.object({
      seq: count,
      changed: z.array(transcriptEntry),
      deletedIds: z.array(uuid),
      ordinals: z.record(z.string(), count),
    }),
    appendEntries: z.object({ nextPosition: count, isStale: z.boolean() }),
    change: title,
    rename: title,
    complete: title,
    move: title,
    delete: deletion,
    deleteAll: deletion,
    search: searchPage,
  },
  marks: { list: toPage(mark), change: nothing },
  people: {
    list: z.array(z.object({ email: z.string(), role: z.enum(memberRoles) })),
    invite: z.object({ mailSent: z.boolean() }),
    change: nothing,
    remove: nothing,
    shared: z.array(
      z.extend(access, {
        id: uuid,
        title: z.string(),
        createdAt: moment,
        excerpt: z.string(),
        usedTime: count,
      }),
    ),
    leave: nothing,
  },
  profiles: {
    get: z.object({ theme: z.enum(themes) }),
    setTheme: nothing,
    summaryInstructions: z.string(),
    setSummaryInstructions: nothing,
  },
  quiz: {
    write: z.object({ written: count, leftOut: count, isStored: z.boolean() }),
    list: z.extend(toPage(quizQuestion), { total: count, due: count }),
    lectures: z.array(
      z.object({
        id: uuid,
        title: z.string(),
        questions: count,
        languages: z.array(z.enum(translationLanguages)),
      }),
    ),
    grade: z.object({ isRight: z.boolean(), reason: z.string() }),
    review: nothing,
    addCards: count,
    delete: nothing,
  },
  shares: {
    create: createdShare,
    renew: createdShare,
    change: nothing,
    end: nothing,
    get: z.nullable(share),
    keep: nothing,
  },
  site: {
    info: z.object({
      speechService: z.nullable(z.enum(["Soniox", "Deepgram", "localServer", "ownServer"])),
      lacksModel: z.boolean(),
      lacksPlans: z.boolean(),
      recognizer: z.enum(recognizers),
      translationPace: z.exactOptional(z.enum(["fast", "careful"])),
      standIns: z.object({
        speech: z.boolean(),
        llm: z.boolean(),
        mail: z.boolean(),
        payments: z.boolean(),
      }),
      isDemoDefault: z.boolean(),
      challenge: z.nullable(z.object({ siteKey: z.string(), scriptUrl: z.string() })),
      outboxUrl: z.nullable(z.string()),
    }),
  },
  slides: {
    list: slides,
    save: nothing,
    move: nothing,
    delete: nothing,
    usage: z.object({ bytes: z.int(), bytesMax: z.int() }),
  },
  subscriptions: {
    check: z.object({
      subscriptionTier: z.enum(tiers),
      subscriptionStatus: z.enum(subscriptionStatuses),
      subscribed: z.boolean(),
      subscriptionEnd: z.nullable(moment),
      hourLimit: z.nullable(z.number()),
      timeUsedThisMonth: count,
      cancelAtPeriodEnd: z.boolean(),
      paymentState: z.enum(paymentStates),
      interval: z.nullable(z.enum(billingIntervals)),
      simulated: z.boolean(),
    }),
    plans: z.object({
      plans: z.array(
        z.object({
          tier: z.enum(tiers),
          name: z.string(),
          hoursPerMonth: z.number(),
          readersMax: count,
          monthlyPriceCents: count,
          annualPriceCents: count,
          monthlyPriceId: z.nullable(z.string()),
          annualPriceId: z.nullable(z.string()),
          features: z.readonly(
            z.array(
              z.enum([
                "basic_transcription",
                "priority_transcription",
                "translation",
                "summaries",
                "priority_support",
              ]),
            ),
          ),
        }),
      ),
      annualSavingPercent: z.number(),
      simulation: z.boolean(),
    }),
  },
  takes: { list: toPage(recordedTake) },
  trash: {
    list: toPage(
      z.object({
        id: uuid,
        kind: z.enum(deletionKinds),
        name: z.string(),
        datedAt: z.nullable(moment),
        lectures: count,
        folders: count,
        deletedAt: moment,
        expiresAt: moment,
      }),
    ),
    restore: z.object({ lectures: count, folders: count }),
  },
} satisfies Described;

type Outputs = inferRouterOutputs<AppRouter>;
type Described = {
  [Router in keyof Outputs]?: { [Name in keyof Outputs[Router]]?: z.ZodMiniType };
};

/** What arrives: of a stream a piece, and of values that follow an answer these. tRPC has `never` for no data. */
type Arriving<T> = [T] extends [never]
  ? undefined
  : T extends AsyncIterable<infer Piece>
    ? Piece
    : T extends readonly unknown[]
      ? T
      : T extends object
        ? { [Key in keyof T]: Awaited<T[Key]> }
        : T;

/** The procedures that answer something else. */
type Differing = {
  [Router in keyof typeof described]: {
    [Name in keyof (typeof described)[Router]]: Name extends keyof Outputs[Router]
      ? IsSame<
          z.output<Extract<(typeof described)[Router][Name], z.ZodMiniType>>,
          Arriving<Outputs[Router][Name]>
        > extends true
        ? never
        : `${Router}.${Name & string}`
      : never;
  }[keyof (typeof described)[Router]];
}[keyof typeof described];

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** By router and name. */
const answers: [Differing] extends [never] ? Described : Differing = described;

/** @throws for a procedure whose answer is not described */
export function findAnswer(path: string): z.ZodMiniType {
  const [router = "", name = ""] = path.split(".");
  const ofRouters: Readonly<Record<string, Record<string, z.ZodMiniType>>> = answers;
  const found = ofRouters[router]?.[name];
  if (!found) throw new Error(`The answer of ${path} is not described`);
  return found;
}
