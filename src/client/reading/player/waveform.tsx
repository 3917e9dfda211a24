import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { createWaveform } from "#client/sound/player/sound-timeline.ts";
import { theme } from "#client/state/theme.ts";
import type { Mark } from "#shared/lecture.ts";

/** Of one bar and the space after it, px. */
const barWidth = 2;
const barStep = 3;
/** Of the line that stands for a mark, above the bars. */
const markWidth = 2;
const markHeight = 6;
/** Quieter than this is drawn as a dot; speech is between here and 255. */
const quietLevel = 60;

const keyStepsMs: Readonly<Record<string, number>> = {
  ArrowLeft: -5_000,
  ArrowDown: -5_000,
  ArrowRight: 5_000,
  ArrowUp: 5_000,
  PageDown: -30_000,
  PageUp: 30_000,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface WaveformProps {
  player: SoundPlayer;
  marks: readonly Pick<Mark, "atMs">[];
  label: string;
  /** Spoken in place of the number of seconds. */
  valueText: string;
}

/** The loudness of the lecture over its clock, drawn on a canvas. A click, a drag or the arrow keys seek. */
export function Waveform({ player, marks, label, valueText }: WaveformProps) {
  const { ms } = useValue(player.state);
  const currentTheme = useValue(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const bars = useRef<{ width: number; player: SoundPlayer; bars: (number | null)[] } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = () => {
      const { clientWidth: width } = element;
      if (width === 0) return;
      if (bars.current?.width !== width || bars.current.player !== player) {
        const count = Math.max(1, Math.floor(width / barStep));
        const getLevels = (id: string) => player.levels.get(id) ?? new Uint8Array();
        const drawn = createWaveform(player.spans, getLevels, player.endMs, count);
        bars.current = { width, player, bars: drawn };
      }
      const marked = marks.map(({ atMs }) => atMs / player.endMs).filter((part) => part <= 1);
      drawBars(element, bars.current.bars, ms / player.endMs, marked);
    };
    draw();
    const resizeObserver = new ResizeObserver(draw);
    resizeObserver.observe(element);
    return () => resizeObserver.disconnect();
  }, [player, marks, ms, currentTheme]);

  function seekToPointer(event: PointerEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    player.seek(((event.clientX - left) / width) * player.endMs);
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keyStepsMs[event.key];
    if (step === undefined) return;
    event.preventDefault();
    player.seek(player.state.get().ms + step);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(player.endMs / 1_000)}
      aria-valuenow={Math.round(ms / 1_000)}
      aria-valuetext={valueText}
      title={formatClock(ms / 1_000)}
      onKeyDown={handleKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekToPointer(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons > 0) seekToPointer(event);
      }}
      className="h-11 min-w-0 flex-1 cursor-pointer touch-none rounded-s py-1"
    >
      <canvas ref={canvas} className="size-full" />
    </div>
  );
}

/** Draws bars up to the part `played` in ink, and marks above them. Where no sound is kept, the line has a gap. */
function drawBars(
  canvas: HTMLCanvasElement,
  bars: readonly (number | null)[],
  played: number,
  marks: readonly number[],
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  if (!context) return;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const [ink, rule] = [style.getPropertyValue("--ink"), style.getPropertyValue("--rule-strong")];
  for (const [index, level] of bars.entries()) {
    if (level === null) continue;
    const loudness = Math.max(0, (level - quietLevel) / (255 - quietLevel));
    const barHeight = Math.max(barWidth, loudness * (height - 2 * markHeight));
    context.fillStyle = index / bars.length < played ? ink : rule;
    context.fillRect(index * barStep, (height - barHeight) / 2, barWidth, barHeight);
  }
  context.fillStyle = ink;
  for (const part of marks)
    context.fillRect(part * width - markWidth / 2, 0, markWidth, markHeight);
}
