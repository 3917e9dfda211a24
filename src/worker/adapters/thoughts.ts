/** Names of the fields in which servers give a model's thoughts beside its answer. */
const thoughtFields = ["reasoning_content", "reasoning", "thinking"];

/** Whether a message or the delta of a stream has thoughts beside its text. */
export const hasThoughts = (message: object | null | undefined): boolean =>
  Object.entries(message ?? {}).some(
    ([name, value]) => thoughtFields.includes(name) && typeof value === "string" && value !== "",
  );

const open = /^\s*<think(?:ing)?>/i;
const close = /<\/think(?:ing)?>\s*/i;
/** Text that may become the first tag. */
const canBecomeOpen = (text: string) =>
  /^\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?$/i.test(text);
/** Characters of a tag that may be in two pieces. */
const tagLength = 12;

export const beginsWithThoughts = (text: string): boolean => open.test(text);

/** The pieces of an answer without the thoughts before it; `onThoughts` is called if there are some. */
export async function* removeThoughts(
  pieces: AsyncIterable<string>,
  onThoughts: () => void,
): AsyncGenerator<string> {
  let state: "beginning" | "thoughts" | "after" | "answer" = "beginning";
  let held = "";
  for await (const piece of pieces) {
    if (state === "answer") {
      yield piece;
      continue;
    }
    held += piece;
    if (state === "beginning") {
      if (canBecomeOpen(held)) continue;
      state = open.test(held) ? "thoughts" : "answer";
      if (state === "thoughts") onThoughts();
    }
    if (state === "thoughts") {
      const end = close.exec(held);
      if (end === null) {
        held = held.slice(-tagLength);
        continue;
      }
      held = held.slice(end.index + end[0].length);
      state = "after";
    }
    if (state === "after") {
      held = held.trimStart();
      if (held === "") continue;
      state = "answer";
    }
    if (held !== "") yield held;
  }
  if (state === "beginning" && held !== "") yield held;
}
