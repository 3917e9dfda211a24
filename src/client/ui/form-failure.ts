import { toast } from "#client/lib/notifications.ts";

/** Says why a form was refused, until it is submitted again. */
export const toastFormFailure = (title: string, description?: string): void =>
  toast({
    kind: "failure",
    state: "form",
    title,
    ...(description !== undefined && { description }),
  });
