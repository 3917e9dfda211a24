import { Download, Pause, Play } from "lucide-react";
import { useEffect } from "react";
import { useT } from "#client/i18n/sound/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useBusy, useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { InControls } from "#client/reading/edge-offset.ts";
import type { PageProps } from "#client/reading/reading-state.ts";
import { playbackRates, type SoundPlayer } from "#client/sound/player/sound-player.ts";
import { download } from "#client/state/download.ts";
import { deleteOrphanedSound } from "#client/state/library/deletions.ts";
import { IconButton } from "#client/ui/button.tsx";
import { useSound, useSoundingRow, useSoundKeys } from "./use-sound.ts";
import { Waveform } from "./waveform.tsx";

/** The player of a lecture whose sound is kept on this device. */
export default function SoundBar({ lecture, page }: PageProps) {
  const player = useSound(lecture);
  useSoundingRow(player, lecture, page);
  useSoundKeys(player, page);
  useEffect(() => void deleteOrphanedSound(), []);
  return player ? (
    <InControls>
      <Controls player={player} lecture={lecture} />
    </InControls>
  ) : null;
}

const textButtonClass =
  "touch-target h-9 shrink-0 rounded-s px-2 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink aria-pressed:bg-paper-3 aria-pressed:text-ink";

function Controls({ player, lecture }: { player: SoundPlayer; lecture: LectureDocument }) {
  const t = useT();
  const { isPlaying, ms, rate, skipsSilence, hasFailed } = useValue(player.state);
  const [isSaving, run] = useBusy();
  const [time, end] = [formatClock(ms / 1_000), formatClock(player.endMs / 1_000)];
  const PlayIcon = isPlaying ? Pause : Play;

  async function save() {
    try {
      const title = lecture.view.get().lecture?.title ?? "";
      for (const { blob, name } of await player.createFiles(title))
        if (!(await download(blob, name))) return;
    } catch (failure) {
      console.warn("kept sound not read", failure);
      toastFailure(t("sound.failed"), t("sound.failedText"));
    }
  }

  return (
    <section
      aria-label={t("sound.player")}
      data-player
      className="-order-1 flex min-w-0 flex-[1_1_min(22rem,100%)] flex-wrap items-center gap-x-1.5"
    >
      <IconButton
        icon={PlayIcon}
        iconClass="size-4.5 fill-current"
        label={t(isPlaying ? "sound.pause" : "sound.play")}
        aria-keyshortcuts="p"
        onClick={() => player.toggle()}
        className="size-10 rounded-full text-ink"
      />
      <span className="tabular shrink-0 text-ink-2 text-sm">
        {time} <span className="text-ink-3">/ {end}</span>
      </span>
      <span className="flex min-w-0 flex-1 px-1.5 max-sm:order-first max-sm:basis-full">
        <Waveform
          player={player}
          label={t("sound.position")}
          valueText={t("sound.positionOf", { time, end })}
        />
      </span>
      <span className="flex shrink-0 items-center max-sm:ml-auto">
        <button
          type="button"
          aria-label={t("sound.speed", { rate })}
          title={t("sound.speed", { rate })}
          className={`tabular ${textButtonClass}`}
          onClick={() => {
            const index = playbackRates.indexOf(rate);
            player.setRate(playbackRates[index + 1] ?? playbackRates[0]);
          }}
        >
          {rate}×
        </button>
        <button
          type="button"
          aria-pressed={skipsSilence}
          className={textButtonClass}
          onClick={() => player.setSkipsSilence(!skipsSilence)}
        >
          {t("sound.skip")}
        </button>
        <IconButton
          icon={Download}
          label={t("sound.download")}
          disabled={isSaving}
          onClick={() => void run(save)}
        />
      </span>
      {hasFailed ? (
        <p role="alert" className="basis-full px-2 pb-1 text-sm text-warn">
          {t("sound.failedText")}
        </p>
      ) : null}
    </section>
  );
}
