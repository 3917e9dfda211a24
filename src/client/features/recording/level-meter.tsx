import { useEffect, useRef } from "react";
import type { RecordingSession } from "#client/realtime/session-types.ts";

const bars = Array.from({ length: 10 }, (_, index) => index);
const stepMs = 70;
const quiet = 0.14;

/** The microphone's recent levels, drawn in animation frames without React. Decorative. */
export function LevelMeter({ session, on }: { session: RecordingSession; on: boolean }) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const shapes = [...(box.current?.children ?? [])].filter((bar) => bar instanceof HTMLElement);
    const levels = shapes.map(() => quiet);
    const draw = () =>
      shapes.forEach((bar, index) => {
        bar.style.transform = `scaleY(${levels[index] ?? quiet})`;
      });
    draw();
    if (!on) return;
    let frame = 0;
    let last = 0;
    const step = (now: number) => {
      frame = requestAnimationFrame(step);
      if (now - last < stepMs) return;
      last = now;
      levels.shift();
      levels.push(Math.max(quiet, Math.min(1, session.level.read())));
      draw();
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [session, on]);

  return (
    <div ref={box} aria-hidden="true" className="flex h-6.5 items-center gap-0.75 sm:mr-2">
      {bars.map((bar) => (
        <i
          key={bar}
          className={`h-full w-0.75 rounded-full bg-ink-3 opacity-75 ${bar % 2 ? "" : "max-sm:hidden"}`}
          style={{ transform: `scaleY(${quiet})` }}
        />
      ))}
    </div>
  );
}
