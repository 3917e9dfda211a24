import { RadioTower } from "lucide-react";
import { useEffect } from "react";
import { useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { recordingSession } from "#client/state/recording.ts";
import { isShareDialogOpen } from "./dialog-state.ts";
import { sharingMessages, useT } from "./messages/index.ts";
import type { ShareDialogProps } from "./share-dialog.tsx";
import { useShare } from "./use-share.ts";

const ShareDialog = lazyPart(() => import("./share-dialog.tsx"), sharingMessages);

interface ShareLabelProps {
  /** Null: the lecture does not exist on the server. */
  lectureId: string | null;
}

/** Says that a lecture is shared, and with how many readers; nothing of one that is not. */
export function ShareLabel({ lectureId }: ShareLabelProps) {
  const t = useT();
  const { data: share } = useShare(lectureId, "never");
  if (!share) return null;
  return (
    <span
      title={t("share.sharedLabel", { count: share.readers })}
      className="-my-0.5 inline-flex items-center gap-1.5 whitespace-nowrap rounded-full bg-jade-wash px-2.5 py-0.5 font-[550] text-jade text-sm tabular"
    >
      <RadioTower className="size-3.5" />
      <span aria-hidden="true" className="max-book:hidden">
        {t("share.shared", { count: share.readers })}
      </span>
      <span aria-hidden="true" className="book:hidden">
        {share.readers}
      </span>
      <span className="sr-only">{t("share.sharedLabel", { count: share.readers })}</span>
    </span>
  );
}

interface ShareButtonProps extends ShareLabelProps {
  /** A lecture that is read: only the button's colour and its name say that it is shared. */
  isQuiet?: boolean;
  className?: string;
}

/** Opens the share dialog. While the lecture is shared it says so, with the number of readers, in the same place. */
export function ShareButton({ lectureId, isQuiet = false, className = "" }: ShareButtonProps) {
  const t = useT();
  const { data: share } = useShare(lectureId, "never");
  const sharedLabel = share ? t("share.sharedLabel", { count: share.readers }) : null;
  const action = t(isQuiet ? "share.action" : "share.actionLive");
  // What is seen is part of the name.
  const label =
    sharedLabel === null ? action : isQuiet ? `${action} (${sharedLabel})` : sharedLabel;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={label}
      title={label}
      onClick={() => isShareDialogOpen.set(true)}
      className={`touch-target inline-flex h-9 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-s px-2.5 text-sm tabular transition-colors duration-150 ease-quiet ${share && !isQuiet ? "bg-jade-wash font-[550] text-jade" : "text-ink-2 hover:bg-paper-3 hover:text-ink"} ${className}`}
    >
      <RadioTower className={`size-4.5 shrink-0 ${share ? "text-jade" : ""}`} />
      {share && !isQuiet ? (
        <>
          <span className="max-book:hidden">{t("share.shared", { count: share.readers })}</span>
          <span className="book:hidden">{share.readers}</span>
        </>
      ) : (
        <span className="max-book:hidden">{action}</span>
      )}
    </button>
  );
}

/** The share dialog, and what goes on while a lecture is shared. Once on a page. */
export function ShareHost(props: ShareDialogProps) {
  const { lectureId } = props;
  const isOpen = useValue(isShareDialogOpen);
  const isLoaded = useLatch(isOpen);
  const { data: share } = useShare(lectureId, isOpen ? "watched" : "seldom");
  const isShared = share ? true : share === null ? false : null;
  useEffect(() => {
    if (lectureId !== null && isShared !== null)
      recordingSession.get()?.setShared(lectureId, isShared);
  }, [lectureId, isShared]);
  useEffect(() => () => isShareDialogOpen.set(false), []);
  return isLoaded ? <ShareDialog {...props} /> : null;
}
