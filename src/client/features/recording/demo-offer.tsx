import { AudioLines } from "lucide-react";
import { useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { canOfferDemo, speechChoice } from "#client/state/engines.ts";
import { useSiteInfo } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./engine-messages/index.ts";

interface DemoOfferProps {
  session: Pick<RecordingSession, "record">;
}

/** Starts the demo voice, where Record uses another engine. It says before what it writes. */
export function DemoOffer({ session }: DemoOfferProps) {
  const t = useT();
  const { data: info } = useSiteInfo();
  useValue(speechChoice);
  if (!info || !canOfferDemo(info)) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 font-ui columns:ml-22">
      <Button aria-describedby="demo-offer" onClick={() => void session.record({ engine: "demo" })}>
        <AudioLines className="size-4.5" />
        {t("engine.tryDemo")}
      </Button>
      <p id="demo-offer" className="max-w-[34em] text-pretty text-ink-2 text-sm">
        {t("engine.tryDemoHint")}
      </p>
    </div>
  );
}
