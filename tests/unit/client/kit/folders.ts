import fc from "fast-check";
import type { FolderList } from "#shared/folder.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";

type Folder = FolderList["folders"][number];

export const folder = (
  id: string,
  parentFolderId: string | null = null,
  rest: Partial<Folder> = {},
): Folder => ({
  id,
  name: `Folder ${id}`,
  parentFolderId,
  createdAt: "2026-11-01T08:00:00.000Z",
  lectures: 0,
  ...rest,
});

export const list = (folders: readonly Folder[], uncategorized = 0): FolderList => ({
  folders: [...folders],
  total: folders.reduce((sum, { lectures }) => sum + lectures, uncategorized),
  uncategorized,
});

/** Lecture `id`; the later of two minutes is the newer one. */
export const lecture = (
  id: string,
  folderId: string | null = null,
  rest: Partial<LectureListItem> & { minute?: number } = {},
): LectureListItem => {
  const { minute = 0, ...fields } = rest;
  const createdAt = new Date(2026, 10, 1, 8, minute).toISOString();
  return {
    id,
    title: `Lecture ${id}`,
    titleSource: "person",
    status: "completed",
    folderId,
    createdAt,
    updatedAt: createdAt,
    excerpt: "",
    translatedExcerpt: "",
    sourceLanguage: "en",
    targetLanguage: "zh-cn",
    isTwoWay: false,
    usedTime: 0,
    hasDemoText: false,
    ...fields,
  };
};

/** Lecture `id` as the server has stored it, without text. */
export const storedLecture = (id: string, rest: Partial<Lecture> = {}): Lecture => ({
  ...lecture(id),
  originalText: "",
  translatedText: "",
  summary: null,
  context: null,
  speakerNames: {},
  actionItems: [],
  entries: [],
  seq: 0,
  marks: [],
  takes: [],
  ...rest,
});

const content = fc.record({
  parent: fc.nat(),
  lectures: fc.nat({ max: 9 }),
  name: fc.constantFrom("a", "b", "Week 2", "week 10", "物理"),
});

/** At least one folder; each lies in an earlier one or at the top. */
export const arbitraryForest = fc.array(content, { minLength: 1, maxLength: 20 }).map((all) =>
  all.map(({ parent, lectures, name }, index) => {
    const at = parent % (index + 1);
    return folder(String(index), at === index ? null : String(at), { lectures, name });
  }),
);
