import { MicOff } from "lucide-react";
import { formatGap, gapMessages } from "#client/i18n/gaps/index.ts";
import type { Gap } from "#shared/recorded-take.ts";

/** A time without sound, between the rows. */
export default function GapLine({ gap }: { gap: Gap }) {
  const t = gapMessages.useT();
  return (
    <p
      role="note"
      data-gap
      className="-mx-2 flex items-center gap-2 border-rule px-2 py-2.5 font-ui text-ink-3 text-xs max-book:border-b book:pl-24"
    >
      <MicOff className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="text-pretty">{formatGap(t, gap)}</span>
      <span className="h-px min-w-4 flex-1 bg-rule max-book:hidden" aria-hidden="true" />
    </p>
  );
}
