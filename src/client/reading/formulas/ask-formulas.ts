import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { callServer } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { Signal } from "#client/lib/observable.ts";
import { fetchSiteInfo } from "#client/state/site-info.ts";
import { listLanguageEngines } from "#client/state/translators.ts";
import { trpc } from "#client/state/trpc.ts";
import { formulaSentenceMaxLength } from "#shared/limits.ts";
import { selectFormulas } from "#shared/row-formulas.ts";
import { t } from "./messages/index.ts";

/** Rows whose formulas are being asked for, by id. */
export const askedRows = new Signal<ReadonlySet<string>>(new Set());

/** Asks the site's model for the formulas of row `id`, and shows those. False: there are none; a toast says why. */
export async function askFormulas(lecture: LectureDocument, id: string): Promise<boolean> {
  if (askedRows.get().has(id)) return false;
  askedRows.set(new Set([...askedRows.get(), id]));
  try {
    return await showFormulas(lecture, id);
  } catch (failure) {
    toastFailure(t("formulas.failed"), getErrorMessage(failure));
    return false;
  } finally {
    askedRows.set(new Set([...askedRows.get()].filter((one) => one !== id)));
  }
}

async function showFormulas(lecture: LectureDocument, id: string): Promise<boolean> {
  const rows = lecture.transcript.rows();
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (row === undefined) return false;
  const info = await fetchSiteInfo();
  if (info !== null && !listLanguageEngines(info).includes("service")) {
    toast({ kind: "info", title: t("formulas.needsModel") });
    return false;
  }
  const { spokenIn: language, original: sentence } = row;
  const before = (rows[at - 1]?.original ?? "").slice(-formulaSentenceMaxLength).toWellFormed();
  const wordContext = lecture.view.get().context.trim();
  const found = await callServer(() =>
    trpc.ai.formulas.mutate({ sentence, before, language, wordContext }),
  );
  const { typesetFormula } = await import("#client/lib/typeset.ts");
  const shown = found.formulas.filter(
    ({ tex }) => typesetFormula({ tex, isDisplay: false }) !== null,
  );
  // The person may have corrected it meanwhile.
  const now = lecture.transcript.rows().find((one) => one.id === id);
  const formulas = now ? selectFormulas(now.original, shown) : [];
  if (formulas.length > 0) lecture.setFormulas?.(id, formulas);
  else {
    const isRefused = found.refused > 0 || found.formulas.length > 0;
    toast({ kind: "info", title: t(isRefused ? "formulas.refused" : "formulas.none") });
  }
  return formulas.length > 0;
}

/** Row `id` shows no formulas any more, until the person takes that back. */
export function hideFormulas(lecture: LectureDocument, id: string): void {
  const formulas = lecture.transcript.rows().find((row) => row.id === id)?.formulas;
  if (!formulas?.length) return;
  lecture.setFormulas?.(id, []);
  const run = () => lecture.setFormulas?.(id, formulas);
  toast({
    kind: "success",
    title: t("formulas.hidden"),
    action: { label: t("formulas.undo"), run },
  });
}
