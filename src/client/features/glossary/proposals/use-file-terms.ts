import { useEffect, useEffectEvent, useRef, useState } from "react";
import {
  FileError,
  type FileProblem,
  type FileText,
} from "#client/features/glossary/files/file-text.ts";
import { readInWorker } from "#client/features/glossary/files/read-in-worker.ts";
import { callServer } from "#client/lib/call-server.ts";
import { browserClock } from "#client/lib/clock.ts";
import { fetchSiteInfo } from "#client/state/site-info.ts";
import { listLanguageEngines } from "#client/state/translators.ts";
import { trpc } from "#client/state/trpc.ts";
import type { ErrorCode } from "#shared/errors.ts";
import { FrequencyRun, type Languages } from "./frequency-run.ts";
import { ModelRun } from "./model-run.ts";
import type { ProposalRun, RunInput } from "./proposal-run.ts";

export interface ProposalsStep extends Languages {
  kind: "proposals";
  name: string;
  text: FileText;
  run: ProposalRun;
  /** The run asks the model; otherwise it counts words. */
  isModel: boolean;
  /** Why the model proposed nothing, although it was asked. */
  refusal: ErrorCode | null;
}

type FileTermsStep =
  | { kind: "file"; problem: FileProblem | null }
  | { kind: "reading"; name: string; done: number; total: number }
  | { kind: "read"; name: string; text: FileText; hasModel: boolean }
  | ProposalsStep;

/** Reads a file and proposes its terms. A later file takes the place of an earlier one. */
export function useFileTerms(first: File | undefined) {
  const [step, setStep] = useState<FileTermsStep>({ kind: "file", problem: null });
  const operation = useRef(new AbortController());

  /** Ends what is under way. */
  function begin(): AbortSignal {
    operation.current.abort();
    operation.current = new AbortController();
    const { signal } = operation.current;
    return signal;
  }

  async function open(files: readonly File[]): Promise<void> {
    const signal = begin();
    const [file] = files;
    if (!file) return;
    if (files.length > 1) {
      setStep({ kind: "file", problem: "many" });
      return;
    }
    const { name } = file;
    const onProgress = (done: number, total: number) => {
      if (!signal.aborted) setStep({ kind: "reading", name, done, total });
    };
    onProgress(0, 0);
    try {
      const [text, hasModel] = await Promise.all([
        readInWorker(file, onProgress, signal),
        canAskModel(),
      ]);
      if (!signal.aborted) setStep({ kind: "read", name, text, hasModel });
    } catch (failure) {
      const problem = failure instanceof FileError ? failure.problem : "unreadable";
      if (!signal.aborted) setStep({ kind: "file", problem });
    }
  }

  async function propose(isModel: boolean, { language, targetLanguage }: Languages): Promise<void> {
    if (step.kind !== "read" && step.kind !== "proposals") return;
    const signal = begin();
    const { name, text } = step;
    const languages = { language, targetLanguage };
    const settings = { file: text, ...languages };
    const start = async (run: ProposalRun, isModel: boolean, refusal: ErrorCode | null = null) => {
      if (signal.aborted) return;
      signal.addEventListener("abort", () => run.stop());
      setStep({ kind: "proposals", name, text, run, isModel, refusal, ...languages });
      await run.start();
    };
    if (!isModel) return start(new FrequencyRun(settings), false);
    const run = createModelRun(settings);
    await start(run, true);
    const { problem, proposals } = run.state.get();
    if (problem !== null && proposals.length === 0)
      await start(new FrequencyRun(settings), false, problem);
  }

  const openFirst = useEffectEvent(() => {
    if (first) void open([first]);
  });
  const end = useEffectEvent(() => operation.current.abort());
  useEffect(() => {
    openFirst();
    return () => end();
  }, []);

  return {
    step,
    open,
    propose,
    /** Back to the choice of a file. */
    restart() {
      begin();
      setStep({ kind: "file", problem: null });
    },
  };
}

/** Whether the site's language model is one of the engines that the person uses. */
async function canAskModel(): Promise<boolean> {
  const info = await fetchSiteInfo();
  // A site that does not answer may have a model: asking shows it.
  return info === null || listLanguageEngines(info).includes("service");
}

const createModelRun = ({ file, language, targetLanguage }: RunInput & Languages) =>
  new ModelRun({
    file,
    language,
    clock: browserClock,
    ask: ({ text, known }, signal) =>
      callServer(
        () => trpc.ai.proposeTerms.mutate({ text, language, targetLanguage, known }, { signal }),
        signal,
      ),
  });
