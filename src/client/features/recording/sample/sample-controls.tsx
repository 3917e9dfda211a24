import { CirclePause, CirclePlay } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import {
  footClass,
  getFootRem,
  recordButtonId,
} from "#client/features/recording/recording-controls.tsx";
import { currentSample, endSample } from "#client/features/recording/screen-state.ts";
import { browserClock } from "#client/lib/clock.ts";
import { useField } from "#client/lib/hooks.ts";
import { useEdgeOffset } from "#client/reading/edge-offset.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { SamplePlayer } from "./sample-player.ts";

interface SampleControlsProps {
  sample: SamplePlayer;
  session: RecordingSession;
}

/** Shows and plays the sample from its beginning, until it is ended or the session begins something. */
export function playSample(session: RecordingSession): void {
  endSample();
  const lecture = new SamplePlayer(browserClock, session, endSample);
  const controls = <SampleControls sample={lecture} session={session} />;
  currentSample.set({ lecture, controls });
  lecture.play();
}

/** In place of the recording controls while the sample is shown. */
function SampleControls({ sample, session }: SampleControlsProps) {
  const t = useT();
  const isPlaying = useField(sample.view, "status") === "recording";
  const box = useRef<HTMLElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const [footRem] = useState(getFootRem);
  useEdgeOffset("--controls-height", box, footRem);
  // The buttons that start and end the sample are removed while they have the focus.
  useLayoutEffect(() => {
    first.current?.focus();
    const controls = box.current;
    return () => {
      if (controls?.contains(document.activeElement))
        setTimeout(() => document.getElementById(recordButtonId)?.focus());
    };
  }, []);
  const Icon = isPlaying ? CirclePause : CirclePlay;
  const label = isPlaying ? "pause" : sample.isFinished ? "again" : "continue";

  function toggle() {
    if (isPlaying) sample.pause();
    else if (sample.isFinished) playSample(session);
    else sample.play();
  }

  return (
    <section ref={box} aria-label={t("sample.controls")} className={footClass}>
      <div data-main className="flex min-w-0 items-center gap-2.5 max-[43.75rem]:gap-1.5">
        <IconButton
          ref={first}
          label={t(`sample.${label}`)}
          onClick={toggle}
          className="size-11 rounded-full"
        >
          <Icon className="size-5.5" strokeWidth={1.75} />
        </IconButton>
        <Button
          look="quiet"
          size="pill"
          className="bg-paper-3 max-[43.75rem]:px-3 max-[43.75rem]:text-sm"
          onClick={endSample}
        >
          {t("sample.end")}
        </Button>
        <Button
          look="seal"
          size="pill"
          className="max-[43.75rem]:px-3 max-[43.75rem]:text-sm"
          onPointerEnter={() => session.preload()}
          onFocus={() => session.preload()}
          onClick={() => session.record()}
        >
          <span
            aria-hidden="true"
            className="size-2.75 rounded-full bg-current max-[43.75rem]:hidden"
          />
          {t("sample.record")}
        </Button>
      </div>
      <p
        role="status"
        data-clock
        className="min-w-0 text-pretty font-[550] text-ink-2 text-sm leading-tight max-[43.75rem]:text-xs"
      >
        {t("sample.badge")}
      </p>
    </section>
  );
}
