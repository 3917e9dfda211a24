import { AppWindow, type LucideIcon, Mic } from "lucide-react";
import { useEffect, useRef } from "react";
import { useValue } from "#client/lib/hooks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { openSources } from "#client/sound/display/sound-sources.ts";
import type { SoundSource } from "#client/sound/display/source-levels.ts";
import { MeterBars, quiet } from "./meter-bars.tsx";

const stepMs = 70;

const icons: Record<SoundSource, LucideIcon> = { microphone: Mic, display: AppWindow };

/** One meter; of two sources each has its own, in the same place. */
export default function LiveMeter({ session }: { session: RecordingSession }) {
  const sources = useValue(openSources);
  if (sources.length < 2) return <MovingBars count={10} read={() => session.level.read()} />;
  return (
    <div className="grid h-full grid-rows-2 gap-0.5">
      {sources.map(({ kind, problem, level }) => {
        const Icon = icons[kind];
        return (
          <div key={kind} data-source={kind} className="flex items-center gap-0.75">
            <Icon
              className={`size-3 shrink-0 max-sm:size-2.25 ${problem ? "text-warn" : "text-ink-3"}`}
            />
            <MovingBars count={7} read={level} />
          </div>
        );
      })}
    </div>
  );
}

/** Drawn in animation frames, without React. */
function MovingBars({ count, read }: { count: number; read: () => number }) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(read);
  latest.current = read;

  useEffect(() => {
    const shapes = [...(box.current?.children ?? [])].filter((bar) => bar instanceof HTMLElement);
    const levels = shapes.map(() => quiet);
    let frame = 0;
    let last = 0;
    const step = (now: number) => {
      frame = requestAnimationFrame(step);
      if (now - last < stepMs) return;
      last = now;
      levels.shift();
      levels.push(Math.max(quiet, Math.min(1, latest.current())));
      shapes.forEach((bar, index) => {
        bar.style.transform = `scaleY(${levels[index] ?? quiet})`;
      });
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, []);

  return <MeterBars count={count} ref={box} />;
}
