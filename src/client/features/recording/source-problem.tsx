import type { OpenSource } from "#client/realtime/display/sound-sources.ts";
import { Button } from "#client/ui/button.tsx";
import { type MessageKey, useT } from "./engine-messages/index.ts";

const microphoneTexts = {
  silent: "source.microphoneSilent",
  ended: "source.microphoneEnded",
  noMicrophone: "source.noMicrophone",
  notShared: "source.noMicrophone",
  noSound: "source.noMicrophone",
} as const satisfies Record<NonNullable<OpenSource["problem"]>, MessageKey>;

const displayTexts = {
  silent: "source.tabSilent",
  ended: "source.tabEnded",
  notShared: "source.notShared",
  noSound: "source.noSound",
  noMicrophone: "source.notShared",
} as const satisfies Record<NonNullable<OpenSource["problem"]>, MessageKey>;

/** What became of a source while the other one goes on. */
export function getSourceText({ kind, problem }: OpenSource): MessageKey | null {
  if (problem === null) return null;
  return kind === "display" ? displayTexts[problem] : microphoneTexts[problem];
}

/** Opens the source again; without effect on the other one. */
export function ReopenButton({ source }: { source: OpenSource }) {
  const t = useT();
  const isDisplay = source.kind === "display";
  // Another try hears the same muted microphone.
  if (!isDisplay && source.problem === "silent") return null;
  return (
    <Button size="small" onClick={() => void source.reopen()}>
      {t(isDisplay ? "source.chooseAgain" : "source.tryMicrophone")}
    </Button>
  );
}
