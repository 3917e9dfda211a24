/** Chinese by pinyin, other writing as in most languages, `Week 2` before `Week 10`. */
const { compare } = new Intl.Collator("zh", { numeric: true });

/** The order of folders, in lists of the server and in the browser. Names that sort alike are ordered by id. */
export function compareFolders(
  a: { id: string; name: string },
  b: { id: string; name: string },
): number {
  return compare(a.name, b.name) || (a.id < b.id ? -1 : Number(a.id > b.id));
}
