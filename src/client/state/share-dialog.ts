import { Signal } from "#client/lib/signal.ts";

/** Whether the share dialog of the open lecture is open. */
export const isShareDialogOpen = new Signal(false);
