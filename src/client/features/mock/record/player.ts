/** The length of the sample recording, in seconds. */
export const playerLengthSeconds = 192;

export interface Player {
  /** Whole seconds from the start, 0 to `playerLengthSeconds`. */
  position: number;
  playing: boolean;
}

export type PlayerEvent =
  | { type: "toggle" }
  | { type: "tick" }
  | { type: "seek"; position: number };

export const initialPlayer: Player = { position: 0, playing: false };

export function reducePlayer(player: Player, event: PlayerEvent): Player {
  switch (event.type) {
    case "toggle":
      if (player.playing) return { ...player, playing: false };
      return {
        position: player.position >= playerLengthSeconds ? 0 : player.position,
        playing: true,
      };
    case "tick":
      return player.playing ? seekTo(player.position + 1, true) : player;
    case "seek":
      return seekTo(event.position, player.playing);
    default:
      return event satisfies never;
  }
}

function seekTo(seconds: number, playing: boolean): Player {
  const position = Math.min(playerLengthSeconds, Math.max(0, Math.round(seconds)));
  return { position, playing: playing && position < playerLengthSeconds };
}

/** The index of the sentence spoken at `position` (seconds); -1 before the first one. */
export const findSentence = (starts: readonly number[], position: number): number =>
  starts.findLastIndex((start) => start <= position);
