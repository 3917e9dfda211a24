import { ApiError } from "#client/lib/call-server.ts";
import { FileWorker } from "#client/lib/file-worker.ts";
import { type RemoteFile, RemoteFileError } from "#shared/remote-file.ts";
import type { RemoteReport, RemoteRequest } from "./remote-messages.ts";

/** The worker ends a silent connection by itself, and asks for the rest several times. */
const silentMaxMs = 300_000;

interface FetchOptions {
  /** `size` null: the site does not say. */
  onProgress: (bytes: number, size: number | null) => void;
  signal: AbortSignal;
}

/** @throws RemoteFileError; ApiError where the server refuses; FileWorkerError; the reason of `signal` */
export async function fetchRemote(
  address: string,
  { onProgress, signal }: FetchOptions,
): Promise<{ file: RemoteFile; content: Blob }> {
  const worker = new FileWorker<RemoteRequest, RemoteReport["remote"]>(
    new Worker(new URL("./remote-file.worker.ts", import.meta.url), {
      type: "module",
      name: "remote-file",
    }),
    { getReport: (data) => (data as Partial<RemoteReport>).remote ?? null, silentMaxMs, signal },
  );
  try {
    return await worker.call({ address }, (remote) => {
      switch (remote.type) {
        case "progress":
          onProgress(remote.bytes, remote.size);
          return null;
        case "done":
          return { file: remote.file, content: remote.content };
        case "problem":
          throw new RemoteFileError(remote.problem);
        case "refusal": {
          const { code, retryAfterSeconds } = remote;
          throw new ApiError(code, false, {
            ...(retryAfterSeconds !== null && { retryAfterSeconds }),
          });
        }
      }
    });
  } finally {
    worker.close();
  }
}
