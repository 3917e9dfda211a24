import { estimateTokens, getOutputTokens } from "#server/ai/tokens.ts";
import { takePart } from "#server/ask/answer-parts.ts";
import { watchObjects } from "#server/ask/read-answer.ts";
import {
  AnswerCut,
  ContextWindowExceeded,
  createUnusableAnswer,
  type Llm,
  type ModelUse,
} from "#server/ports.ts";
import type { ActionItem } from "#shared/action-item.ts";
import { actionItemsMax } from "#shared/limits.ts";
import { readStatements } from "#shared/statements.ts";
import { checkItem, nameSpeaker, type SaidIn, type SaidRow } from "./check-item.ts";
import { createPrompt, giveRows } from "./prompt.ts";

/** Tokens and characters of the answer to a part. */
const answerTokens = 4_000;
const answerLength = 8_000;

type NewItem = Omit<ActionItem, "id">;

interface Found {
  items: NewItem[];
  /** Those that what was said does not support. */
  leftOut: number;
}

/** What the stand-in puts before a text; nobody has said it. */
const demoMark = /^〔[^〕]*〕\s*/u;

/**
 * Has the model read the rows of a lecture, a long one in parts, and note who is to do what. What its rows do not support
 * is left out, see `checkItem`.
 *
 * @throws AppError `llm_failed`, `rate_limited`, `llm_unusable` for an answer without any object, or what `spend` throws
 */
export async function findItems(
  llm: Llm,
  { rows, ...lecture }: SaidIn & { rows: SaidRow[] },
  { spend, signal }: ModelUse,
): Promise<Found> {
  const speakers = [
    ...new Set([
      ...Object.values(lecture.speakerNames),
      ...rows.flatMap((row) => nameSpeaker(row, lecture) ?? []),
    ]),
  ];
  const found: Found = { items: [], leftOut: 0 };
  const seen = new Set<string>();
  const emptyPrompt = createPrompt(giveRows([]), lecture);
  const fixedTokens =
    estimateTokens(emptyPrompt.system) + estimateTokens(emptyPrompt.user) + answerTokens;
  let window = llm.contextTokens;
  for (let rest = rows; rest.length > 0 && found.items.length < actionItemsMax; ) {
    const part = takePart(rest, window - fixedTokens);
    const given = giveRows(part);
    const prompt = createPrompt(given, lecture);
    await spend(prompt.user.length + answerLength);
    const maxTokens = getOutputTokens(prompt, answerTokens, { ...llm, contextTokens: window });
    const answer = watchObjects(llm.stream({ ...prompt, maxTokens, signal }));
    try {
      // Nothing is a statement here: each object is read as it is.
      for await (const piece of readStatements(answer.pieces, new Map())) {
        if (piece.kind !== "other" || piece.value.none === true) continue;
        const item = checkItem(toSaid(piece.value, llm), given, { ...lecture, speakers });
        if (item === null) found.leftOut += 1;
        else if (!seen.has(toKey(item))) found.items.push(item);
        if (item) seen.add(toKey(item));
        if (found.items.length === actionItemsMax) break;
      }
    } catch (error) {
      if (error instanceof ContextWindowExceeded) {
        window = Math.floor(window / 2);
        continue;
      }
      // What was complete before the end of the window is valid.
      if (!(error instanceof AnswerCut)) throw error;
    }
    if (!answer.hasObject()) throw createUnusableAnswer("an answer without objects");
    rest = rest.slice(part.length);
  }
  return found;
}

const toSaid = (value: Record<string, unknown>, { isDemo = false }: Llm) =>
  isDemo && typeof value.task === "string"
    ? { ...value, task: value.task.replace(demoMark, "") }
    : value;

/** The same for items that say the same of the same rows. */
const toKey = ({ rows, task }: Pick<ActionItem, "rows" | "task">): string =>
  [task.toLowerCase(), ...rows.map(({ id }) => id).sort()].join(" ");

/**
 * The items of a lecture, of which others were found: those that a person has changed or ticked stay, the others are
 * replaced. One that is found again keeps its id, and what has become of it.
 */
export function mergeItems(
  stored: readonly ActionItem[],
  found: readonly NewItem[],
  newId: () => string,
): ActionItem[] {
  const byKey = new Map(stored.map((item) => [toKey(item), item]));
  const again = new Set(found.flatMap((item) => byKey.get(toKey(item)) ?? []));
  const kept = stored.filter((item) => again.has(item) || item.byHand || item.isDone);
  // Of a sentence whose item a person has put into other words, that one is not noted again.
  const changed = kept.filter((item) => !again.has(item)).map(toRowsKey);
  const added = found
    .filter((item) => !byKey.has(toKey(item)))
    .filter((item) => {
      const at = changed.indexOf(toRowsKey(item));
      if (at >= 0) changed.splice(at, 1);
      return at < 0;
    })
    .map((item) => ({ ...item, id: newId() }));
  const getStart = ({ rows }: ActionItem) => rows[0]?.startMs ?? 0;
  return [...kept, ...added].sort((a, b) => getStart(a) - getStart(b)).slice(0, actionItemsMax);
}

const toRowsKey = ({ rows }: Pick<ActionItem, "rows">): string =>
  rows
    .map(({ id }) => id)
    .sort()
    .join(" ");
