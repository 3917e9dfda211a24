export type ExportTarget =
  | { kind: "lecture"; id: string; title: string }
  | { kind: "folder"; id: string; name: string };
