import type { Proposal } from "./proposal-run.ts";

/** What the person has made of the proposals, by their ids. */
interface Choices {
  taken: ReadonlySet<string>;
  edited: ReadonlyMap<string, Partial<Pick<Proposal, "term" | "translation">>>;
}

export type ChoiceAction =
  | { type: "take"; ids: readonly string[]; isTaken: boolean }
  | { type: "edit"; id: string; change: Partial<Pick<Proposal, "term" | "translation">> };

/** Nothing is taken until the person does. */
export const noChoices: Choices = { taken: new Set(), edited: new Map() };

export function reduceChoices(choices: Choices, action: ChoiceAction): Choices {
  if (action.type === "edit") {
    const { id, change } = action;
    const edited = new Map(choices.edited).set(id, { ...choices.edited.get(id), ...change });
    return { ...choices, edited };
  }
  const taken = new Set(choices.taken);
  for (const id of action.ids) {
    if (action.isTaken) taken.add(id);
    else taken.delete(id);
  }
  return { ...choices, taken };
}

export const applyChoice = (proposal: Proposal, { edited }: Choices): Proposal => ({
  ...proposal,
  ...edited.get(proposal.id),
});
