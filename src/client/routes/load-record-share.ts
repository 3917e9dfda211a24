import { sharingMessages } from "#client/features/sharing/messages/index.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";

export const RecordShare = lazyPartAfterPaint(() => import("./record-share.tsx"), sharingMessages);
