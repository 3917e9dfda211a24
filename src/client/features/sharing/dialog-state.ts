import { Signal } from "#client/lib/observable.ts";

/** Whether the share dialog of the shown lecture is open. */
export const isShareDialogOpen = new Signal(false);
