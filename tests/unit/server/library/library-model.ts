import { randomUUID } from "node:crypto";
import type { Database } from "#server/database.ts";
import { createFolder, moveFolder, renameFolder } from "#server/folders/folder-changes.ts";
import { listFolders } from "#server/folders/queries.ts";
import { listLectures } from "#server/lectures/list.ts";
import { changeLecture, createLecture } from "#server/lectures/queries.ts";
import { deleteToTrash } from "#server/trash/deletion.ts";
import { purgeTrash } from "#server/trash/purge.ts";
import { expireTrash, listTrash, restoreFromTrash } from "#server/trash/queries.ts";
import { AppError } from "#shared/errors.ts";

/** A step in a library; numbers choose among everything created so far. */
export type Step =
  | { type: "createFolder"; at: number }
  | { type: "renameFolder"; folder: number; name: string }
  | { type: "moveFolder"; folder: number; to: number }
  | { type: "createLecture" }
  | { type: "moveLecture"; lecture: number; to: number }
  | { type: "deleteFolder"; folder: number }
  | { type: "deleteLecture"; lecture: number }
  | { type: "deleteAll" }
  | { type: "restore"; deletion: number }
  | { type: "remove"; deletion: number };

interface Thing {
  parent: string | null;
  deletion: string | null;
  name: string;
}

/** A library as two maps. */
class LibraryModel {
  readonly folders = new Map<string, Thing>();
  readonly lectures = new Map<string, Thing>();

  alive(id: string | null): boolean {
    return id === null || this.folders.get(id)?.deletion === null;
  }

  /** The folder and everything below it that is not deleted. */
  below(id: string): string[] {
    const inside = [...this.folders].filter(
      ([, one]) => one.parent === id && one.deletion === null,
    );
    return [id, ...inside.flatMap(([child]) => this.below(child))];
  }

  deletions(): string[] {
    const all = [...this.folders.values(), ...this.lectures.values()];
    return [...new Set(all.flatMap(({ deletion }) => (deletion ? [deletion] : [])))];
  }

  restore(deletion: string): void {
    const back = [this.folders, this.lectures].flatMap((things) =>
      [...things.values()].filter((one) => one.deletion === deletion),
    );
    for (const one of back) one.deletion = null;
    for (const one of back) if (!this.alive(one.parent)) one.parent = null;
  }

  remove(deletion: string): void {
    for (const things of [this.folders, this.lectures])
      for (const [id, one] of things) if (one.deletion === deletion) things.delete(id);
    for (const things of [this.folders, this.lectures])
      for (const one of things.values())
        if (one.parent !== null && !this.folders.has(one.parent)) one.parent = null;
  }
}

const pick = (ids: readonly string[], n: number) => ids[n % Math.max(1, ids.length)] ?? null;
const getErrorCode = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

/** A user's library in the database and its model; each step is applied to both. */
export class LibraryUnderTest {
  readonly model = new LibraryModel();
  readonly #folderIds: string[] = [];
  readonly #lectureIds: string[] = [];
  #time = Date.UTC(2026, 10, 20);

  constructor(
    readonly db: Database,
    readonly userId: string,
  ) {}

  /** @returns the results of database and model. */
  async take(step: Step): Promise<[actual: string, expected: string]> {
    const { db, userId, model } = this;
    this.#time += 1_000;
    const now = new Date(this.#time);
    // Every fourth choice is the top level.
    const place = (n: number) => (n % 4 === 0 ? null : pick(this.#folderIds, n));
    const living = (things: Map<string, Thing>, id: string) => {
      const thing = things.get(id);
      return thing?.deletion === null ? thing : undefined;
    };
    switch (step.type) {
      case "createFolder": {
        const id = randomUUID();
        const parent = place(step.at);
        const actual = await getErrorCode(
          createFolder(db, { userId, id, name: "new", parentFolderId: parent, now }),
        );
        if (!model.alive(parent)) return [actual, "not_found"];
        this.#folderIds.push(id);
        model.folders.set(id, { parent, deletion: null, name: "new" });
        return [actual, "done"];
      }
      case "renameFolder": {
        const id = pick(this.#folderIds, step.folder) ?? randomUUID();
        const actual = await getErrorCode(renameFolder(db, { userId, id, name: step.name, now }));
        const folder = living(model.folders, id);
        if (folder) folder.name = step.name;
        return [actual, folder ? "done" : "not_found"];
      }
      case "moveFolder": {
        const id = pick(this.#folderIds, step.folder) ?? randomUUID();
        const parent = place(step.to);
        const actual = await getErrorCode(
          moveFolder(db, { userId, id, parentFolderId: parent, now }),
        );
        const folder = living(model.folders, id);
        if (!folder || !model.alive(parent)) return [actual, "not_found"];
        if (parent !== null && model.below(id).includes(parent)) return [actual, "conflict"];
        folder.parent = parent;
        return [actual, "done"];
      }
      case "createLecture": {
        const id = randomUUID();
        const input = { userId, id, title: "lecture", targetLanguage: "ja" as const, now };
        const actual = await getErrorCode(createLecture(db, input));
        this.#lectureIds.push(id);
        model.lectures.set(id, { parent: null, deletion: null, name: "lecture" });
        return [actual, "done"];
      }
      case "moveLecture": {
        const id = pick(this.#lectureIds, step.lecture) ?? randomUUID();
        const parent = place(step.to);
        const change = { folderId: parent, updatedAt: now };
        const actual = await getErrorCode(changeLecture(db, { userId, id }, change));
        const lecture = living(model.lectures, id);
        if (!lecture) return [actual, "not_found"];
        if (!model.alive(parent)) return [actual, "conflict"];
        lecture.parent = parent;
        return [actual, "done"];
      }
      case "deleteFolder": {
        const id = pick(this.#folderIds, step.folder) ?? randomUUID();
        const gone = living(model.folders, id) ? model.below(id) : [];
        const inside = [...model.lectures].filter(
          ([, one]) => one.deletion === null && one.parent !== null && gone.includes(one.parent),
        );
        return this.#delete({ kind: "folder", id }, gone, inside, now);
      }
      case "deleteLecture": {
        const id = pick(this.#lectureIds, step.lecture) ?? randomUUID();
        const lecture = living(model.lectures, id);
        return this.#delete({ kind: "lecture", id }, [], lecture ? [[id, lecture]] : [], now);
      }
      case "deleteAll": {
        const all = [...model.lectures].filter(([, one]) => one.deletion === null);
        return this.#delete({ kind: "all_lectures" }, [], all, now);
      }
      case "restore":
      case "remove": {
        const id = pick(model.deletions(), step.deletion) ?? randomUUID();
        const known = model.deletions().includes(id);
        if (step.type === "restore") {
          const actual = await getErrorCode(restoreFromTrash(db, { userId, id, now }));
          model.restore(id);
          return [actual, known ? "done" : "not_found"];
        }
        const expired = await expireTrash(db, { userId, id, now });
        await purgeTrash(db, { now, userId });
        model.remove(id);
        return [String(expired), known ? "1" : "0"];
      }
      default:
        return step satisfies never;
    }
  }

  async #delete(
    target: Parameters<typeof deleteToTrash>[1]["target"],
    folders: string[],
    lectures: [string, Thing][],
    now: Date,
  ): Promise<[actual: string, expected: string]> {
    const { db, userId, model } = this;
    const empty = folders.length + lectures.length === 0;
    const outcome = await deleteToTrash(db, { userId, target, now }).then(
      ({ deletion }) => deletion,
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );
    if (typeof outcome === "string")
      return [outcome, empty && target.kind !== "all_lectures" ? "not_found" : "done"];
    for (const id of folders) {
      const folder = model.folders.get(id);
      if (folder) folder.deletion = outcome.id;
    }
    for (const [, lecture] of lectures) lecture.deletion = outcome.id;
    return [
      `${outcome.folders} and ${outcome.lectures}, ${outcome.id === null}`,
      `${folders.length} and ${lectures.length}, ${empty}`,
    ];
  }

  /** The lists and the model in the same form. */
  async compare(): Promise<[actual: unknown, expected: unknown]> {
    const { db, userId, model } = this;
    const living = [...model.lectures].filter(([, one]) => one.deletion === null);
    const within = (folder: string | null) => living.filter(([, one]) => one.parent === folder);
    const tree = await listFolders(db, userId);
    const inFolders = await Promise.all(
      [null, ...tree.folders.map(({ id }) => id)].map(async (folderId) => {
        const page = await listLectures(db, { userId, folderId, cursor: null, limit: 100 });
        return [folderId, page.items.map(({ id }) => id).sort()];
      }),
    );
    const trash = await listTrash(db, { userId, cursor: null, now: new Date(this.#time) });
    const aliveFolders = [...model.folders].filter(([, one]) => one.deletion === null);
    const byId = <T extends { id: string }>(rows: T[]) =>
      rows.toSorted((a, b) => a.id.localeCompare(b.id));
    const keyed = (rows: unknown[][]) =>
      rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
    return [
      {
        total: tree.total,
        uncategorized: tree.uncategorized,
        folders: byId(tree.folders).map(({ createdAt: _, ...folder }) => folder),
        inFolders: keyed(inFolders),
        trash: trash.items.map(({ id }) => id).sort(),
      },
      {
        total: living.length,
        uncategorized: within(null).length,
        folders: byId(
          aliveFolders.map(([id, { name, parent }]) => ({
            id,
            name,
            parentFolderId: parent,
            lectures: within(id).length,
          })),
        ),
        inFolders: keyed(
          [null, ...aliveFolders.map(([id]) => id)].map((id) => {
            const ids = within(id).map(([lecture]) => lecture);
            return [id, ids.sort()];
          }),
        ),
        trash: model.deletions().sort(),
      },
    ];
  }
}
