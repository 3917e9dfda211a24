import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { toast } from "#client/lib/notifications.ts";
import { api } from "#client/state/queries.tsx";
import { getShareCode, keepShareCode } from "#client/state/share-links.ts";
import { trpc } from "#client/state/trpc.ts";
import { Button } from "#client/ui/button.tsx";
import { CopyField } from "#client/ui/copy-field.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import type { Share } from "#shared/share.ts";
import { Failure, useAttempt } from "./attempt.tsx";
import { LargeView } from "./large-view.tsx";
import { sharingMessages, useT } from "./messages/index.ts";
import { NamedPeople } from "./people/named-people.tsx";
import { QrCode } from "./qr-code.tsx";
import { type ShareSettings, ShareSettingsFields } from "./share-settings.tsx";
import { useShowShare } from "./use-share.ts";

const ConfirmDialog = lazyPart(() => import("#client/ui/confirm-dialog.tsx"), sharingMessages);

interface ActiveShareProps {
  share: Share;
  /** The lecture is on the recording page. */
  isRecording: boolean;
  onStopped: () => void;
}

/** A shared lecture: its link for readers, who reads, the settings, and the end. */
export function ActiveShare({ share, isRecording, onStopped }: ActiveShareProps) {
  const t = useT();
  const showShare = useShowShare();
  const [isRenewing, setRenewing] = useState(false);
  const hasAsked = useLatch(isRenewing);
  const { id, lectureId, readers } = share;
  const code = getShareCode(id);
  const { data: slides = [] } = api.slides.list.useQuery({ lectureId });
  // Not found: it has ended meanwhile.
  const { busy, failure, attempt } = useAttempt(() => showShare(lectureId, null));

  const renew = () =>
    attempt(async () => {
      const { code, ...renewed } = await trpc.shares.renew.mutate({ lectureId });
      keepShareCode(renewed.id, code);
      await showShare(lectureId, renewed);
    });
  const stop = () =>
    attempt(async () => {
      await trpc.shares.end.mutate({ lectureId });
      await showShare(lectureId, null);
      toast({ kind: "success", title: t("share.stopped") });
      onStopped();
    });
  // Another change may be on its way.
  const change = (settings: Partial<ShareSettings>) =>
    attempt(async () => {
      await trpc.shares.change.mutate({ lectureId, ...settings });
      await showShare(lectureId, (now) => now && { ...now, ...settings });
    });

  return (
    <>
      {code === null ? (
        <p className="rounded-m bg-paper-2 p-4 text-ink-2">{t("share.elsewhere")}</p>
      ) : (
        <ShareLink code={code} readers={readers} />
      )}
      <ShareSettingsFields
        settings={share}
        hasMode={isRecording}
        hasSlides={share.showsSlides || slides.length > 0}
        onChange={(next) => void change(next)}
      />
      <Readers share={share} />
      <NamedPeople lectureId={lectureId} />
      <Failure text={failure} />
      <div className={footerClass}>
        <Button
          look="quiet"
          disabled={busy}
          onClick={() => setRenewing(true)}
          className="me-auto -ms-4 max-dialog:ms-0"
        >
          {t("share.renew")}
        </Button>
        <Button look="danger" disabled={busy} onClick={() => void stop()}>
          {t("share.stop")}
        </Button>
      </div>
      {hasAsked ? (
        <ConfirmDialog
          open={isRenewing}
          title={t("share.renewTitle")}
          text={t("share.renewText")}
          confirmLabel={t("share.renew")}
          busyLabel={t("share.renewing")}
          onClose={() => setRenewing(false)}
          onConfirm={renew}
        />
      ) : null}
    </>
  );
}

function ShareLink({ code, readers }: { code: string; readers: number }) {
  const t = useT();
  const [isLarge, setLarge] = useState(false);
  const link = `${location.origin}/live/${code}`;

  return (
    <>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-4">
        <QrCode
          text={link}
          label={t("share.qr")}
          className="size-30 rounded-s border border-rule"
        />
        <div className="grid justify-items-start gap-0.5">
          <p className="font-semibold">{t("share.largeTitle")}</p>
          <p className="text-pretty text-ink-2">{t("share.largeText")}</p>
          <button
            type="button"
            onClick={() => setLarge(true)}
            className="touch-target mt-0.5 underline decoration-rule-strong underline-offset-3 hover:decoration-current"
          >
            {t("share.large")}
          </button>
        </div>
      </div>
      <CopyField
        look="ink"
        label={t("share.link")}
        value={link}
        copyLabel={t("share.copy")}
        copied={t("share.copied")}
        failed={[t("common.error"), t("share.copyFailed")]}
      />
      <p className="text-pretty text-ink-3 text-sm">{t("share.open")}</p>
      <LargeView link={link} readers={readers} open={isLarge} onClose={() => setLarge(false)} />
    </>
  );
}

/** How many read, and what the owner's plan allows. */
function Readers({ share }: { share: Share }) {
  const t = useT();
  const navigate = useNavigate();
  const { readers, readersMax, languagesMax, hasLargerPlan } = share;
  const isFull = readers >= readersMax;
  return (
    <div className="grid gap-1">
      <p className={`tabular text-sm ${isFull ? "font-medium text-warn" : "text-ink-3"}`}>
        {isFull
          ? t("share.full", { max: readersMax })
          : t("share.places", { count: readers, max: readersMax })}
      </p>
      {isFull && hasLargerPlan ? (
        <button
          type="button"
          onClick={() => void navigate({ to: "/profile", state: { view: "subscription" } })}
          className="touch-target justify-self-start text-sm underline underline-offset-3"
        >
          {t("share.toPlans")}
        </button>
      ) : null}
      <p className="text-ink-3 text-sm">{t("share.languages", { count: languagesMax })}</p>
    </div>
  );
}
