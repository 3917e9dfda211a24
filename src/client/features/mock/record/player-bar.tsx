import { Pause, Play } from "lucide-react";
import { useEffect } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { formatClock } from "#client/lib/dates.ts";
import { type Player, type PlayerEvent, playerLengthSeconds } from "./player.ts";

interface PlayerBarProps {
  player: Player;
  dispatch: (event: PlayerEvent) => void;
}

/** The controls of a player without sound: only its position advances. */
export function PlayerBar({ player: { position, playing }, dispatch }: PlayerBarProps) {
  const t = useT();
  const Icon = playing ? Pause : Play;
  const length = formatClock(playerLengthSeconds);

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => dispatch({ type: "tick" }), 1_000);
    return () => clearInterval(timer);
  }, [playing, dispatch]);

  return (
    <section
      aria-label={t("mock.player.label")}
      className="sticky bottom-0 z-1 border-rule border-t bg-paper px-7 py-2.5 max-book:px-4"
    >
      <div className="mx-auto flex max-w-190 items-center gap-4 max-sm:gap-3">
        <button
          type="button"
          aria-label={t(playing ? "mock.player.pause" : "mock.player.play")}
          title={t(playing ? "mock.player.pause" : "mock.player.play")}
          onClick={() => dispatch({ type: "toggle" })}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-ink text-paper transition-colors duration-150 ease-quiet hover:bg-ink-2"
        >
          <Icon className="size-4.5 fill-current" aria-hidden="true" />
        </button>
        <span className="tabular w-9 shrink-0 text-right text-ink-2 text-sm">
          {formatClock(position)}
        </span>
        <input
          type="range"
          aria-label={t("mock.player.position")}
          aria-valuetext={t("mock.player.at", { position: formatClock(position), length })}
          min={0}
          max={playerLengthSeconds}
          step={1}
          value={position}
          onChange={(event) => dispatch({ type: "seek", position: event.target.valueAsNumber })}
          className="touch-target h-6 min-w-0 flex-1 cursor-pointer accent-ink"
        />
        <span className="tabular w-9 shrink-0 text-ink-3 text-sm">{length}</span>
      </div>
    </section>
  );
}
