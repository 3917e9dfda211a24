export interface HomeSearch {
  lecture?: string;
  /** Of the open lecture: the row to land on, counted from 0. */
  row?: number;
  /** Of the open lecture: where else to land. `text`: on the sentence that fits the search best. */
  part?: "summary" | "text";
  q?: string;
  /** Lectures of one folder; `none`: of none. */
  folder?: string;
}

const folderId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A parameter as it was written: the router reads digits and `true` as what they look like. */
const toText = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;

/** The parameters of the home page; what makes no sense is left out. */
export function parseHomeSearch(search: Record<string, unknown>): HomeSearch {
  const lecture = toText(search.lecture);
  const q = toText(search.q);
  const folder = toText(search.folder);
  const { row, part } = search;
  return {
    ...(lecture && { lecture }),
    ...(lecture && typeof row === "number" && Number.isSafeInteger(row) && row >= 0 && { row }),
    ...(lecture && (part === "summary" || part === "text") && { part }),
    ...(q?.trim() && { q }),
    ...(folder && (folder === "none" || folderId.test(folder)) && { folder }),
  };
}

/** A filter of the list as the address has it: undefined is all lectures, null those in no folder. */
export const getFolderFilter = ({ folder }: HomeSearch): string | null | undefined =>
  folder === "none" ? null : folder;

/** What of the address stays when a lecture is closed or another filter is chosen. */
export const toListSearch = (
  q: string | undefined,
  folder: string | null | undefined,
): Pick<HomeSearch, "q" | "folder"> => ({
  ...(q && { q }),
  ...(folder !== undefined && { folder: folder ?? "none" }),
});
