import { type ReactNode, useEffect, useMemo, useReducer, useState } from "react";
import { t as tCommon } from "#client/i18n/index.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useGlossary } from "#client/state/library/glossary.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { Button } from "#client/ui/button.tsx";
import { buttonsClass, dialogEndClass } from "#client/ui/dialog.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { getTermKey, resolveTerms } from "#shared/glossary.ts";
import { addTerms } from "./add-terms.ts";
import { FolderSelect, useFolderName } from "./folder-select.tsx";
import { useT } from "./messages/index.ts";
import { type Choice, keepForm, ProposalRow, reduceChoices } from "./proposal-row.tsx";
import { RunStatus } from "./run-status.tsx";
import type { ProposalsStep } from "./use-file-terms.ts";

interface ProposalsFormProps extends ProposalsStep {
  folderId: string | null;
  setFolderId: (folderId: string | null) => void;
  setHasChosen: (hasChosen: boolean) => void;
  onAskModel: () => void;
  onCancel: () => void;
  onAdded: () => void;
}

/** The proposals of a file, of which the person takes some. */
export function ProposalsForm(props: ProposalsFormProps) {
  const { name, text, run, isModel, refusal, language, targetLanguage, folderId, setFolderId } =
    props;
  const t = useT();
  const state = useValue(run.state);
  const { tree } = useFolderTree();
  const nameFolder = useFolderName(tree);
  const { data: glossary } = useGlossary(folderId);
  const [choices, choose] = useReducer(reduceChoices, new Map<string, Choice>());
  const [query, setQuery] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  /** By their keys. */
  const existingTerms = useMemo(() => {
    const terms = glossary ? resolveTerms(glossary) : [];
    const spoken = terms.filter((term) => term.language === language);
    return new Map(spoken.map((term) => [getTermKey(term.term), term]));
  }, [glossary, language]);

  const rows = state.proposals.map((proposal) => {
    const choice = choices.get(proposal.id);
    const edited = { ...proposal, ...choice };
    const existing = existingTerms.get(getTermKey(edited.term));
    return { proposal, choice, edited, existing, isOwn: existing?.folderId === folderId };
  });
  const part = query.trim().toLowerCase();
  const shown = rows.filter(({ edited: { term, translation }, proposal: { sentence } }) =>
    `${term}\n${translation}\n${sentence}`.toLowerCase().includes(part),
  );
  const taken = rows.filter(
    ({ choice, edited, isOwn }) => choice?.isTaken && !isOwn && edited.term.trim() !== "",
  );
  const { setHasChosen } = props;
  const hasChosen = taken.length > 0;
  useEffect(() => setHasChosen(hasChosen), [setHasChosen, hasChosen]);

  const chooseShown = (isTaken: boolean) => {
    const ids = shown.filter(({ isOwn }) => !isOwn).map(({ proposal }) => proposal.id);
    choose({ ids, isTaken });
  };

  async function add() {
    setIsAdding(true);
    setFailure(null);
    try {
      const proposals = taken.map(({ edited }) => edited);
      await addTerms({ folderId, name, language, targetLanguage, proposals });
      props.onAdded();
    } catch (cause) {
      setFailure(t("proposals.addFailed", { reason: getErrorMessage(cause) }));
      setIsAdding(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      className="flex min-w-0 flex-col gap-4"
    >
      <RunStatus
        state={state}
        isModel={isModel}
        refusal={refusal}
        onStart={() => void run.start()}
        onStop={() => run.stop()}
        onAskModel={props.onAskModel}
      />
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <FolderSelect
          label={t("proposals.folder")}
          tree={tree}
          folderId={folderId}
          onChange={setFolderId}
          className="min-h-11.5"
        />
        <input
          type="search"
          aria-label={t("proposals.search")}
          placeholder={t("proposals.search")}
          value={query}
          autoComplete="off"
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={keepForm}
          className={inputClass}
        />
      </div>
      {rows.length > 0 ? (
        <div className="tabular flex flex-wrap items-center gap-2 text-ink-2 text-sm">
          <span role="status" className="grow">
            {`${t("proposals.count", { count: shown.length })} · ${t("proposals.taken", { count: taken.length })}`}
          </span>
          <Button size="small" onClick={() => chooseShown(true)}>
            {t("proposals.all")}
          </Button>
          <Button size="small" onClick={() => chooseShown(false)}>
            {t("proposals.clear")}
          </Button>
        </div>
      ) : state.step === "running" ? (
        <ListSkeleton />
      ) : null}
      {rows.length > 0 && shown.length === 0 ? <Note>{t("proposals.noMatch")}</Note> : null}
      {state.step === "finished" && rows.length === 0 ? <Note>{t("proposals.none")}</Note> : null}
      {shown.length > 0 ? (
        <ul aria-label={t("proposals.list")} className="grid min-w-0 border-rule border-t">
          {shown.map(({ proposal, choice, existing, isOwn }) => (
            <ProposalRow
              key={proposal.id}
              proposal={proposal}
              choice={choice}
              language={language}
              targetLanguage={targetLanguage}
              isOwn={isOwn}
              place={t(`proposals.place.${text.unit}`, { number: proposal.page })}
              mark={
                isOwn
                  ? t("proposals.own")
                  : existing
                    ? t("proposals.inherited", { folder: nameFolder(existing.folderId) })
                    : null
              }
              choose={choose}
            />
          ))}
        </ul>
      ) : null}
      <div className={`${dialogEndClass} grid gap-2`}>
        {failure === null ? null : (
          <p role="alert" className="text-sm text-warn">
            {failure}
          </p>
        )}
        <div className={buttonsClass}>
          <Button disabled={isAdding} onClick={props.onCancel}>
            {tCommon("common.cancel")}
          </Button>
          <Button type="submit" look="ink" disabled={isAdding || taken.length === 0}>
            {t("proposals.add", { count: taken.length })}
          </Button>
        </div>
      </div>
    </form>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="py-4 text-center text-ink-2">
    {children}
  </p>
);

const ListSkeleton = () => (
  <div aria-hidden="true" className="grid gap-4 py-2">
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-10 w-full" />
    <Skeleton className="h-10 w-full" />
  </div>
);
