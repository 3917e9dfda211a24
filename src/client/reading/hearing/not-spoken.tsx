import { VolumeX } from "lucide-react";
import { hear } from "./hear-state.ts";
import { useT } from "./messages/index.ts";

/** Of a row that the voice has passed over: a touch speaks it. */
export default function NotSpoken({ id }: { id: string }) {
  const t = useT();
  return (
    <button
      type="button"
      data-not-spoken
      aria-label={t("hear.notSpokenName")}
      title={t("hear.notSpokenName")}
      onClick={() => hear(id)}
      className="touch-reach fades inline-flex items-center gap-1 justify-self-start rounded-s font-ui text-ink-3 text-xs transition-colors duration-150 ease-quiet hover:text-ink hover:underline columns:col-start-2 columns:-col-end-1"
    >
      <VolumeX className="size-3.5" aria-hidden="true" />
      {t("hear.notSpoken")}
    </button>
  );
}
