import { useEffect, useState } from "react";
import {
  type FileFacts,
  type FileProblem,
  MediaFileError,
} from "#client/sound/media-files/media-file.ts";
import { probeFile } from "#client/sound/media-files/media-reader.ts";

export interface ProbedFile {
  file: File;
  /** Null: not known yet, or the file is not read. */
  facts: FileFacts | null;
  /** Why it is not read; null: not known, or it is. */
  problem: FileProblem | null;
  /** It lies in a cloud, from which the system is fetching it. */
  isFetched: boolean;
}

/** What is in `files`, found out one after another. */
export function useProbedFiles(files: readonly File[]): readonly ProbedFile[] {
  const [probed, setProbed] = useState<readonly ProbedFile[]>(() =>
    files.map((file) => ({ file, facts: null, problem: null, isFetched: false })),
  );
  useEffect(() => {
    let isCurrent = true;
    const set = (index: number, change: Partial<ProbedFile>) =>
      setProbed((all) => all.map((one, at) => (at === index ? { ...one, ...change } : one)));
    const probeAll = async () => {
      for (const [index, file] of files.entries()) {
        if (!isCurrent) return;
        try {
          const facts = await probeFile(file, () => set(index, { isFetched: true }));
          set(index, { facts });
        } catch (failure) {
          set(index, { problem: failure instanceof MediaFileError ? failure.problem : "failed" });
        }
      }
    };
    void probeAll();
    return () => {
      isCurrent = false;
    };
  }, [files]);
  return probed;
}
