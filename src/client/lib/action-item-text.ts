import type { ActionItem } from "#shared/action-item.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { oneLine } from "./text.ts";

/** An item on a line: `Send the slides (Anna, 2026-05-08, “by Friday”)`. */
export function formatActionItem({
  task,
  who,
  due,
  dueOn,
}: Pick<ActionItem, "task" | "who" | "due" | "dueOn">): string {
  const about = [who, dueOn, due && `“${due}”`].filter((part) => part !== null).join(", ");
  return oneLine(about === "" ? task : `${task} (${about})`);
}

/** A list of tasks in Markdown, with what is done ticked. */
export const formatTaskList = (items: readonly { text: string; isDone: boolean }[]): string =>
  items.map(({ text, isDone }) => `- [${isDone ? "x" : " "}] ${escapeMarkdown(text)}`).join("\n");
