import { useNavigate, useRouterState } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useRef } from "react";
import { useLatch, useValue } from "#client/lib/hooks.ts";
import { api, refetchQueries } from "#client/state/queries.tsx";
import { keepShareCode } from "#client/state/share-links.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { ActiveShare } from "./active-share.tsx";
import { Failure, useAttempt } from "./attempt.tsx";
import { isShareDialogOpen } from "./dialog-state.ts";
import { useT } from "./messages/index.ts";
import { NamedPeople } from "./people/named-people.tsx";
import { useShare, useShowShare } from "./use-share.ts";

export interface ShareDialogProps {
  lectureId: string | null;
  signedIn: boolean;
  /** The lecture is on the recording page. */
  isRecording: boolean;
  /** Creates the lecture on the server, if it does not exist there. Returns its id. @throws ApiError */
  createLecture?: () => Promise<string>;
}

const close = () => isShareDialogOpen.set(false);

/** Shares a lecture, and shows the link, the readers and the settings of a shared one. */
export default function ShareDialog(props: ShareDialogProps) {
  const t = useT();
  const open = useValue(isShareDialogOpen);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t(props.isRecording ? "share.titleLive" : "share.title")}
      {...(props.signedIn ? {} : { description: t("share.signIn") })}
    >
      {props.signedIn ? <Sharing {...props} /> : <SignInOffer />}
    </Dialog>
  );
}

function SignInOffer() {
  const t = useT();
  const navigate = useNavigate();
  const redirect = useRouterState({ select: ({ location }) => location.href });
  return (
    <div className={footerClass}>
      <Button look="ink" onClick={() => void navigate({ to: "/auth", search: { redirect } })}>
        {t("auth.signIn")}
      </Button>
    </div>
  );
}

function Sharing(props: ShareDialogProps) {
  const t = useT();
  const { lectureId } = props;
  const { data: share, isError, isFetching, refetch } = useShare(lectureId, "never");
  // What is known may be old: another device may have shared the lecture since. Once shown, the form stays, also
  // while the lecture is being created for it.
  const isFormReady = useLatch(lectureId === null || (!isFetching && !isError));
  const wasShared = useLatch(!!share);
  if (lectureId !== null && share)
    return (
      <ActiveShare key={share.id} share={share} isRecording={props.isRecording} onStopped={close} />
    );
  if (isFormReady) return <NewShare {...props} startsAtOnce={!wasShared} />;
  if (isFetching) return <ShareSkeleton />;
  return <LoadFailure text={t("share.loadFailed")} onRetry={refetch} />;
}

interface NewShareProps extends ShareDialogProps {
  /** Without a further question: the dialog was opened to share. Otherwise a share that it showed has ended. */
  startsAtOnce: boolean;
}

function NewShare({ lectureId, isRecording, createLecture, startsAtOnce }: NewShareProps) {
  const t = useT();
  const showShare = useShowShare();
  const { busy, failure, attempt } = useAttempt();
  const hasStarted = useRef(!startsAtOnce);

  const start = () =>
    attempt(async () => {
      let id = lectureId;
      if (id === null && createLecture) {
        id = await createLecture();
        void refetchQueries(getQueryKey(api.lectures));
        void refetchQueries(getQueryKey(api.folders));
      }
      if (id === null) return;
      const { code, ...share } = await trpc.shares.create.mutate({
        lectureId: id,
        // What is not being recorded would end at once, or after a day.
        mode: isRecording ? "while_recording" : "until_revoked",
        mayCopy: true,
      });
      keepShareCode(share.id, code);
      await showShare(id, share);
    });

  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    void start();
  });

  if (busy || (startsAtOnce && failure === null)) return <ShareSkeleton />;
  return (
    <>
      <p className="text-pretty text-ink-2">{t("share.text")}</p>
      {lectureId === null ? null : <NamedPeople lectureId={lectureId} />}
      <Failure text={failure} />
      <div className={footerClass}>
        <Button look="ink" onClick={() => void start()}>
          {t(isRecording ? "share.actionLive" : "share.action")}
        </Button>
      </div>
    </>
  );
}

/** In the place of the code and the link. */
function ShareSkeleton() {
  return (
    <LoadingSkeleton className="grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-4">
      <Skeleton className="h-30" />
      <Skeleton className="h-16" />
      <Skeleton className="col-span-2 h-10" />
    </LoadingSkeleton>
  );
}
