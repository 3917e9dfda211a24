export interface HomeSearch {
  lecture?: string;
  /** Of the open lecture: the row to scroll to, counted from 0. */
  row?: number;
  /** Of the open lecture: what else to scroll to. `text`: the sentence that matches the search best. */
  part?: "summary" | "text";
  q?: string;
  /** Id of the folder whose lectures are listed; `none`: lectures in no folder. */
  folder?: string;
}

const folderId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A parameter as text: the router parses digits and `true` to numbers and booleans. */
const toText = (value: unknown): string | undefined =>
  ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;

/** The parameters of the home page; invalid ones are left out. */
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

/** The folder filter of the address: undefined is all lectures, null those in no folder. */
export const getFolderFilter = ({ folder }: HomeSearch): string | null | undefined =>
  folder === "none" ? null : folder;

/** The parameters that remain when a lecture is closed or another filter is chosen. */
export const toListSearch = (
  q: string | undefined,
  folder: string | null | undefined,
): Pick<HomeSearch, "q" | "folder"> => ({
  ...(q && { q }),
  ...(folder !== undefined && { folder: folder ?? "none" }),
});
