import { type Dispatch, memo } from "react";
import {
  getTextLanguage,
  getTranslationTag,
  type SpokenLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";
import { termMaxLength, termTranslationMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";
import type { Proposal } from "./proposal-run.ts";

/** What the person has made of a proposal. Nothing is taken until the person does. */
export type Choice = Partial<Pick<Proposal, "term" | "translation">> & { isTaken?: boolean };

type ChoiceAction = Choice & { ids: readonly string[] };

/** Choices by the proposals' ids. */
export const reduceChoices = (
  choices: ReadonlyMap<string, Choice>,
  { ids, ...choice }: ChoiceAction,
): ReadonlyMap<string, Choice> =>
  new Map([...choices, ...ids.map((id) => [id, { ...choices.get(id), ...choice }] as const)]);

interface ProposalRowProps {
  proposal: Proposal;
  choice: Choice | undefined;
  language: SpokenLanguage;
  targetLanguage: TargetLanguage;
  /** Where it stands in the file. */
  place: string;
  /** What the glossary has of it. */
  mark: string | null;
  /** The glossary has it: it cannot be taken again. */
  isOwn: boolean;
  choose: Dispatch<ChoiceAction>;
}

export const ProposalRow = memo(function ProposalRow(props: ProposalRowProps) {
  const { proposal, choice, language, targetLanguage, place, mark, isOwn } = props;
  const { id, term, translation, sentence, note } = { ...proposal, ...choice };
  const t = useT();
  const choose = (change: Choice) => props.choose({ ids: [id], ...change });
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)] border-rule border-b py-3 [contain-intrinsic-size:auto_7rem] [content-visibility:auto]">
      <label className="grid size-11 cursor-pointer place-items-center self-start has-disabled:cursor-not-allowed">
        <input
          type="checkbox"
          aria-label={t("proposals.take", { term })}
          checked={choice?.isTaken === true && !isOwn}
          disabled={isOwn}
          onChange={(event) => choose({ isTaken: event.target.checked })}
          className="size-4.5 cursor-pointer accent-ink disabled:cursor-not-allowed disabled:opacity-45"
        />
      </label>
      <div className="grid min-w-0 gap-1.5">
        <div className="grid gap-2 sm:grid-cols-2">
          <input
            aria-label={t("proposals.term")}
            value={term}
            maxLength={termMaxLength}
            autoComplete="off"
            onChange={(event) => choose({ term: event.target.value })}
            onKeyDown={keepForm}
            className={`${fieldClass} font-[550]`}
            {...getTextLanguage(language)}
          />
          {targetLanguage === "none" ? null : (
            <input
              aria-label={t("proposals.translation")}
              placeholder={t("proposals.translation")}
              value={translation}
              maxLength={termTranslationMaxLength}
              autoComplete="off"
              onChange={(event) => choose({ translation: event.target.value })}
              onKeyDown={keepForm}
              className={fieldClass}
              {...getTextLanguage(getTranslationTag(targetLanguage))}
            />
          )}
        </div>
        <p className="px-0.5 text-ink-2 text-sm wrap-anywhere">
          <span className="tabular text-ink-3">
            {t("proposals.source", { place: [place, mark, note].filter(Boolean).join(" · ") })}
          </span>
          <span {...getTextLanguage(language)}>
            <Sentence sentence={sentence} term={proposal.term} />
          </span>
        </p>
      </div>
    </li>
  );
});

const fieldClass =
  "h-11 w-full min-w-0 rounded-s border border-rule-control bg-sheet px-2.5 text-base text-ink placeholder:text-ink-3 transition-colors duration-150 ease-quiet hover:border-rule-strong";

/** Enter in a field does not send the form: its button alone does. */
export function keepForm(event: { key: string; preventDefault(): void }): void {
  if (event.key === "Enter") event.preventDefault();
}

/** The sentence with the term in it marked. */
function Sentence({ sentence, term }: { sentence: string; term: string }) {
  const at = sentence.toLowerCase().indexOf(term.toLowerCase());
  if (at === -1) return sentence;
  const end = at + term.length;
  return (
    <>
      {sentence.slice(0, at)}
      <mark className="bg-transparent font-[550] text-ink">{sentence.slice(at, end)}</mark>
      {sentence.slice(end)}
    </>
  );
}
