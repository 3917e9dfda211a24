import type { CarriedTranscript } from "./contract.ts";
import type { Workspace } from "./workspace.ts";

/** What another lecture can take over of `workspace`; null when nothing was said. */
export function carriedFrom(
  workspace: Pick<Workspace, "transcript" | "notes" | "recordedSeconds">,
): CarriedTranscript | null {
  const { store, language, finalMs } = workspace.transcript;
  if (store.length === 0) return null;
  const { context, speakerNames, summary } = workspace.notes;
  const notes = { speakerNames, context: context.text, summary: summary.view.get().text };
  const { recordedSeconds } = workspace;
  return { rows: store.rows(), language, finalMs, recordedSeconds, ...notes };
}
