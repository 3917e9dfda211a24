import type { BackupRequest } from "./backup-messages.ts";
import { serveBackup } from "./serve-backup.ts";

const answer = serveBackup((report) => self.postMessage(report));
self.addEventListener("message", ({ data }: MessageEvent<BackupRequest>) => void answer(data));
