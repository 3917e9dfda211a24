/** What is exported: one lecture, or a folder with all below it. */
export type ExportTarget =
  | { kind: "lecture"; id: string; title: string }
  | { kind: "folder"; id: string; name: string };
