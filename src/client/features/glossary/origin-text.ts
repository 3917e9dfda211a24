import type { TermOrigin } from "#shared/glossary.ts";
import type { Translate } from "./messages/index.ts";

const kindKeys = {
  person: "glossary.typed",
  table: "glossary.pasted",
  file: "glossary.fromFile",
  lecture: "glossary.fromLecture",
} as const;

export const getOriginText = (t: Translate, { kind, name }: TermOrigin): string =>
  name || t(kindKeys[kind]);
