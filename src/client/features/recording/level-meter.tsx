import { lazy, Suspense } from "react";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { MeterBars } from "./meter-bars.tsx";

const quietBars = <MeterBars count={10} />;
const LiveMeter = lazy(() =>
  import("./live-meter.tsx").catch(() => ({ default: () => quietBars })),
);

/** The recent levels of what is recorded. Decorative: what is missing is told in words. */
export const LevelMeter = ({ session, on }: { session: RecordingSession; on: boolean }) => (
  <div data-level aria-hidden="true" className="h-6.5 sm:mr-2">
    {on ? (
      <Suspense fallback={quietBars}>
        <LiveMeter session={session} />
      </Suspense>
    ) : (
      quietBars
    )}
  </div>
);
