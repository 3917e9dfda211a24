import type { Ref } from "react";

/** The height of a bar without sound, as a part of the whole. */
export const quiet = 0.14;

/** The bars of a level meter, at rest: `LiveMeter` moves them. On a phone, those with even numbers are hidden. */
export const MeterBars = ({ count, ref }: { count: number; ref?: Ref<HTMLDivElement> }) => (
  <div ref={ref} className="flex h-full items-center gap-0.75">
    {Array.from({ length: count }, (_, bar) => (
      <i
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing else
        key={bar}
        className={`h-full w-0.75 rounded-full bg-ink-3 opacity-75 ${bar % 2 ? "" : "max-sm:hidden"}`}
        style={{ transform: `scaleY(${quiet})` }}
      />
    ))}
  </div>
);
