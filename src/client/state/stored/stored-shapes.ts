import type { QueryKey } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { LecturePage, LecturePages } from "#client/state/library/lecture-pages.ts";
import type { FolderList } from "#shared/folder.ts";
import {
  sourceLanguages,
  spokenLanguages,
  targetLanguages,
  translationLanguages,
} from "#shared/languages.ts";
import type { Lecture, LectureListItem, TitleSource } from "#shared/lecture.ts";
import type { MemberRole, SharedLecture } from "#shared/people.ts";
import type { QuestionScope } from "#shared/question.ts";
import type { QuizKind, QuizLecture, QuizPage } from "#shared/quiz.ts";
import type { GapReason, RecordedTake } from "#shared/recorded-take.ts";

/**
 * Which answers of the server are stored on the device, and their shapes. What was stored in another shape, by another
 * version or by damage, is not used. The compiler compares the shapes with the server's: a new field has to come here,
 * and what was stored without it is then outdated.
 */

const fields = {
  id: z.string(),
  title: z.string(),
  titleSource: z.enum({ date: "date", proposed: "proposed", person: "person" } satisfies {
    [Name in TitleSource]: Name;
  }),
  status: z.enum(["draft", "completed"]),
  folderId: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  excerpt: z.string(),
  translatedExcerpt: z.string(),
  sourceLanguage: z.enum(sourceLanguages),
  targetLanguage: z.enum(targetLanguages),
  isTwoWay: z.boolean(),
  usedTime: z.number(),
  hasDemoText: z.boolean(),
};

const item: Shape<LectureListItem> = z.object(fields);

const entry = z.object({
  id: z.string(),
  seq: z.number(),
  ordinal: z.number(),
  original: z.string(),
  originalByHand: z.boolean(),
  spokenIn: z.enum(spokenLanguages),
  translated: z.string(),
  translatedInto: z.nullable(z.enum(translationLanguages)),
  translatedByHand: z.boolean(),
  speaker: z.nullable(z.string()),
  startMs: z.number(),
  endMs: z.number(),
  formulas: z.exactOptional(z.array(z.object({ words: z.string(), tex: z.string() }))),
  author: z.exactOptional(z.string()),
});

const mark = z.object({
  id: z.string(),
  atMs: z.number(),
  position: z.nullable(z.number()),
  note: z.string(),
  author: z.exactOptional(z.string()),
});

const gapReasons = {
  disconnected: "disconnected",
  muted: "muted",
  notDelivered: "notDelivered",
  memoryFull: "memoryFull",
  unreadable: "unreadable",
  refused: "refused",
  noWords: "noWords",
} satisfies { [Name in GapReason]: Name };

const take = z.object({
  id: z.string(),
  startedAt: z.number(),
  codec: z.enum({ pcm_s16le: "pcm_s16le", opus: "opus" } satisfies {
    [Name in RecordedTake["codec"]]: Name;
  }),
  capturedMs: z.number(),
  acknowledgedMs: z.number(),
  transcribedMs: z.number(),
  missingMs: z.number(),
  gaps: z.array(
    z.object({ atMs: z.number(), lengthMs: z.nullable(z.number()), reason: z.enum(gapReasons) }),
  ),
});

const actionItem = z.object({
  id: z.string(),
  task: z.string(),
  who: z.nullable(z.string()),
  due: z.nullable(z.string()),
  dueOn: z.nullable(z.string()),
  rows: z.array(z.object({ id: z.string(), startMs: z.number() })),
  isDone: z.boolean(),
  byHand: z.boolean(),
});

const access = {
  role: z.enum({ reads: "reads", corrects: "corrects" } satisfies { [Name in MemberRole]: Name }),
  owner: z.string(),
};

const lecture: Shape<Lecture> = z.object({
  ...fields,
  summary: z.nullable(z.string()),
  context: z.nullable(z.string()),
  speakerNames: z.record(z.string(), z.string()),
  // What was stored before there were any is still read.
  actionItems: z._default(z.array(actionItem), []),
  originalText: z.string(),
  translatedText: z.string(),
  entries: z.array(entry),
  seq: z.number(),
  marks: z.array(mark),
  takes: z.array(take),
  access: z.exactOptional(z.object(access)),
});

const sharedLectures: Shape<SharedLecture[]> = z.array(
  z.object({
    ...access,
    id: z.string(),
    title: z.string(),
    createdAt: z.string(),
    excerpt: z.string(),
    usedTime: z.number(),
  }),
);

const cursor = z.nullable(z.string());

const lecturePages: Shape<LecturePages> = toPages<LecturePage>(
  z.object({ items: z.array(item), nextCursor: cursor, total: z.nullable(z.number()) }),
);

const counts = { total: z.number(), uncategorized: z.number() };

const folderList: Shape<FolderList> = z.object({
  ...counts,
  folders: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      parentFolderId: cursor,
      createdAt: z.string(),
      lectures: z.number(),
    }),
  ),
});

const quizPage: Shape<QuizPage> = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      lectureId: z.string(),
      kind: z.enum({ choice: "choice", cloze: "cloze", short: "short", card: "card" } satisfies {
        [Name in QuizKind]: Name;
      }),
      prompt: z.string(),
      choices: z.array(z.string()),
      answer: z.string(),
      rows: z.array(
        z.object({ id: z.string(), position: z.number(), startMs: z.number(), text: z.string() }),
      ),
      language: z.enum(translationLanguages),
      memory: z.nullable(
        z.object({
          state: z.number(),
          stability: z.number(),
          difficulty: z.number(),
          days: z.number(),
          step: z.number(),
          reviews: z.number(),
          lapses: z.number(),
          reviewedAt: z.string(),
        }),
      ),
      dueAt: z.string(),
      createdAt: z.string(),
    }),
  ),
  nextCursor: cursor,
  total: z.number(),
  due: z.number(),
});

const quizLectures: Shape<QuizLecture[]> = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    questions: z.number(),
    languages: z.array(z.enum(translationLanguages)),
  }),
);

/** A schema of exactly `T`. */
type Shape<T> = z.ZodMiniType<T>;

function toPages<Page>(page: Shape<Page>) {
  return z.object({ pages: z.array(page), pageParams: z.array(cursor) });
}

export interface StoredQuery {
  /** Under which it is stored. */
  key: string;
  shape: Shape<unknown>;
  /** The lecture whose texts it has; null: it is a list. */
  lectureId: string | null;
  /** Of a list of lectures: the folder, null for those in none, undefined for all. Missing in others. */
  list?: { folderId: string | null | undefined };
}

export const allLecturesKey = "lectures all";

const toList = (key: string, shape: Shape<unknown>): StoredQuery => ({
  key,
  shape,
  lectureId: null,
});

/** What the query with `key` answers; null if that is not stored. The key is the procedure's path and the input. */
export function findStoredQuery(key: QueryKey): StoredQuery | null {
  const [path, { input = {} } = {}] = key as [unknown, { input?: Record<string, unknown> }?];
  switch (Array.isArray(path) ? path.join(".") : "") {
    case "lectures.get": {
      const { id } = input;
      return typeof id === "string"
        ? { key: `lecture ${id}`, shape: lecture, lectureId: id }
        : null;
    }
    case "lectures.list": {
      const { folderId, title } = input as { folderId?: string | null; title?: string };
      if (title !== undefined) return null;
      const name = folderId === undefined ? allLecturesKey : `lectures in ${folderId}`;
      return { ...toList(name, lecturePages), list: { folderId } };
    }
    case "quiz.list":
    case "quiz.lectures": {
      const { scope, cursor: from } = input as { scope?: QuestionScope; cursor?: string | null };
      if (!scope || from) return null;
      const isList = (path as string[])[1] === "list";
      const name = `${isList ? "quiz" : "quiz lectures"} ${scope.lectureId ?? scope.folderId ?? "all"}`;
      return isList ? toList(name, quizPage) : toList(name, quizLectures);
    }
    case "people.shared":
      return toList("shared lectures", sharedLectures);
    case "folders.list":
      return toList("folders", folderList);
    default:
      return null;
  }
}

/** `text` as `shape`; null if it is something else. */
export function parseStored<T>(shape: Shape<T>, text: string): T | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const parseLecturePages = (text: string): LecturePages | null =>
  parseStored(lecturePages, text);
