import { Download, Pause, Play, RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { useT } from "#client/i18n/sound/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useBusy, useValue } from "#client/lib/hooks.ts";
import { toastFailure } from "#client/lib/notifications.ts";
import { formatSize } from "#client/lib/text.ts";
import { InControls } from "#client/reading/edge-offset.ts";
import type { PageProps } from "#client/reading/reading-state.ts";
import {
  playbackRates,
  type SoundFormat,
  type SoundPlayer,
} from "#client/sound/player/sound-player.ts";
import { download } from "#client/state/download.ts";
import { deleteOrphanedSound } from "#client/state/library/deletions.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
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

/** So far back goes the button for a sentence that was not understood, ms. */
const backMs = 10_000;

/** What the sound can be downloaded as, once that is known. */
function useFormats(player: SoundPlayer): readonly SoundFormat[] {
  const [formats, setFormats] = useState<readonly SoundFormat[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void player.listFormats().then((found) => isCurrent && setFormats(found));
    return () => {
      isCurrent = false;
    };
  }, [player]);
  return formats;
}

function Controls({ player, lecture }: { player: SoundPlayer; lecture: LectureDocument }) {
  const t = useT();
  const { isPlaying, ms, rate, skipsSilence, hasFailed } = useValue(player.state);
  const marks = useValue(lecture.marks);
  const formats = useFormats(player);
  const keptFormat = player.takes.some(({ codec }) => codec === "opus") ? "ogg" : "keptWav";
  const [isSaving, run] = useBusy();
  /** Of a file that is being converted, from 0 to 1. */
  const [part, setPart] = useState<number | null>(null);
  const [time, end] = [formatClock(ms / 1_000), formatClock(player.endMs / 1_000)];
  const PlayIcon = isPlaying ? Pause : Play;
  const speed = t("sound.speed", { rate });

  async function save(format: SoundFormat) {
    try {
      const title = lecture.view.get().lecture?.title ?? "";
      const files = await player.createFiles(title, format, setPart);
      for (const { blob, name } of files) if (!(await download(blob, name))) return;
    } catch (failure) {
      console.warn("kept sound not read", failure);
      toastFailure(t("sound.failed"), t("sound.failedText"));
    } finally {
      setPart(null);
    }
  }

  const entries: MenuEntry[] = [
    ...playbackRates.map((value) => ({
      key: `${value}`,
      label: `${value}×`,
      choice: { kind: "radio", isChosen: value === rate } as const,
      run: () => player.setRate(value),
    })),
    {
      key: "skip",
      label: t("sound.skip"),
      startsGroup: true,
      choice: { kind: "checkbox", isChosen: skipsSilence },
      run: () => player.setSkipsSilence(!skipsSilence),
    },
    ...formats.map((format, index) => ({
      key: format,
      icon: Download,
      label: t(`sound.format.${format === "kept" ? keptFormat : format}`, {
        size: formatSize(player.wavBytes),
      }),
      startsGroup: index === 0,
      run: () => void (isSaving || run(() => save(format))),
    })),
  ];
  return (
    <section
      aria-label={t("sound.player")}
      data-player
      className="flex min-w-0 flex-wrap items-center gap-x-2"
    >
      <IconButton
        icon={PlayIcon}
        iconClass="size-5 fill-current"
        label={t(isPlaying ? "sound.pause" : "sound.play")}
        aria-keyshortcuts="p"
        onClick={() => player.toggle()}
        className="size-11 rounded-full bg-ink text-paper! hover:bg-ink-2"
      />
      <IconButton
        icon={RotateCcw}
        label={t("sound.back")}
        onClick={() => player.seek(ms - backMs)}
        className="max-[43.75rem]:hidden"
      />
      <span className="tabular shrink-0 text-ink-2 text-sm">{time}</span>
      <Waveform
        player={player}
        marks={marks}
        label={t("sound.position")}
        valueText={t("sound.positionOf", { time, end })}
      />
      <span className="tabular shrink-0 text-ink-2 text-sm max-[43.75rem]:hidden">{end}</span>
      <Menu
        heading={t("sound.player")}
        entries={entries}
        trigger={{
          "aria-label": speed,
          title: speed,
          className:
            "touch-target tabular h-9 min-w-12 shrink-0 rounded-s px-2 font-[550] text-ink text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3",
          children: `${rate}×`,
        }}
      />
      {part === null ? null : (
        <span role="status" className="tabular shrink-0 text-ink-2 text-sm">
          {t("sound.writing", { percent: Math.floor(part * 100) })}
        </span>
      )}
      {hasFailed ? (
        <p role="alert" className="basis-full px-2 pb-1 text-sm text-warn">
          {t("sound.failedText")}
        </p>
      ) : null}
    </section>
  );
}
