import type { ErrorCode } from "#shared/errors.ts";
import type { RemoteFile, RemoteProblem } from "#shared/remote-file.ts";

/** What the page and its worker say of files on other sites. */

export interface RemoteRequest {
  address: string;
}

/** From the worker; other messages are not its. */
export interface RemoteReport {
  remote:
    | { type: "progress"; bytes: number; size: number | null }
    | { type: "done"; file: RemoteFile; content: Blob }
    | { type: "problem"; problem: RemoteProblem }
    | { type: "refusal"; code: ErrorCode; retryAfterSeconds: number | null };
}
