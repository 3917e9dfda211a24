interface Folder {
  id: string;
  name: string;
  parentFolderId: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** Number of lectures in the folder itself, without those in its subfolders. */
  lectures: number;
}

interface LectureCounts {
  /** All lectures. */
  total: number;
  /** Lectures in no folder. */
  uncategorized: number;
}

/** All folders, in no order. */
export interface FolderList extends LectureCounts {
  folders: Folder[];
}

/** A page of folders for the row of filters on the home screen, sorted by name. */
export interface FolderPage extends LectureCounts {
  folders: Pick<Folder, "id" | "name" | "lectures">[];
  nextCursor: string | null;
}

let names: Intl.Collator | undefined;

/** The order of folders, in lists of the server and in the browser. Names that sort alike are ordered by id. */
export function compareFolders(
  a: { id: string; name: string },
  b: { id: string; name: string },
): number {
  // Chinese by pinyin, other writing as in most languages, `Week 2` before `Week 10`.
  names ??= new Intl.Collator("zh", { numeric: true });
  return names.compare(a.name, b.name) || (a.id < b.id ? -1 : Number(a.id > b.id));
}
