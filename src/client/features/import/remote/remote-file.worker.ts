import { ApiError } from "#client/lib/call-server.ts";
import { RemoteFileError } from "#shared/remote-file.ts";
import { download, fetchByServer, fetchDirectly } from "./download.ts";
import type { RemoteReport, RemoteRequest } from "./remote-messages.ts";

const progressMs = 200;

const report = (remote: RemoteReport["remote"]) =>
  self.postMessage({ remote } satisfies RemoteReport);

/** No page may fetch from other sites: only this worker has a policy that allows it (public/_headers). */
self.addEventListener("message", async ({ data }: MessageEvent<RemoteRequest>) => {
  const { address } = data;
  let reportedAt = 0;
  // A page that is encrypted gets nothing that is not.
  const ways = address.startsWith("https:") ? [fetchDirectly, fetchByServer] : [fetchByServer];
  const onProgress = (bytes: number, size: number | null) => {
    if (Date.now() - reportedAt < progressMs) return;
    reportedAt = Date.now();
    report({ type: "progress", bytes, size });
  };
  try {
    report({ type: "done", ...(await download(address, { ways, onProgress })) });
  } catch (failure) {
    if (failure instanceof ApiError) {
      const { code, retryAfterSeconds = null } = failure;
      report({ type: "refusal", code, retryAfterSeconds });
    } else
      report({
        type: "problem",
        problem: failure instanceof RemoteFileError ? failure.problem : "broken",
      });
  }
});
