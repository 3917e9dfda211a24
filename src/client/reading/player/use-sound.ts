import { type RefObject, useEffect, useEffectEvent } from "react";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { listen } from "#client/lib/listen.ts";
import { RowMarker } from "#client/reading/mark-row.ts";
import { shownSound } from "#client/reading/reading-state.ts";
import { isPopupOpen } from "#client/reading/use-overlay.ts";
import { findRow } from "#client/reading/use-rows.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { keptSoundVersion, openPlayer } from "#client/state/kept-sound.ts";

/** Opens the player of the lecture's kept sound. It is closed while the lecture is recorded. */
export function useSound(lecture: LectureDocument): SoundPlayer | null {
  const player = useValue(shownSound);
  const id = useField(lecture.view, "lecture")?.id;
  const status = useField(lecture.view, "status");
  const busy = useField(lecture.view, "busy");
  const version = useValue(keptSoundVersion);
  const isIdle = status !== "recording" && busy === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: deleted sound is not played
  useEffect(() => {
    if (id === undefined || !isIdle) return;
    let isCurrent = true;
    let foundPlayer: SoundPlayer | null = null;
    openPlayer(id).then(
      (found) => {
        if (!isCurrent) return;
        foundPlayer = found;
        shownSound.set(found);
      },
      (failure: unknown) => console.warn("kept sound not read", failure),
    );
    return () => {
      isCurrent = false;
      foundPlayer?.dispose();
      shownSound.set(null);
    };
  }, [id, isIdle, version]);
  return player;
}

/** The position of the last row that begins at or before `ms`; null before the first. Rows without times are ignored. */
function findSoundingRow(
  blocks: ReturnType<LectureDocument["transcript"]["blocks"]["get"]>,
  ms: number,
): number | null {
  let found: TranscriptRow | undefined;
  for (const { rows } of blocks)
    for (const row of rows) if (row.endMs > 0 && row.startMs <= ms) found = row;
  return found?.position ?? null;
}

/** Marks the row that sounds. The page follows if the row before was in view. */
export function useSoundingRow(
  player: SoundPlayer | null,
  lecture: LectureDocument,
  page: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!player) return;
    const marker = new RowMarker(page);
    const unsubscribe = player.state.subscribe(() => {
      const { isPlaying, ms } = player.state.get();
      marker.mark(isPlaying ? findSoundingRow(lecture.transcript.blocks.get(), ms) : null);
    });
    return () => {
      unsubscribe();
      marker.clear();
    };
  }, [player, lecture, page]);
}

/** Controls for which Space has a meaning of its own. */
const spaceControls = "a, button, input, textarea, select, [role=slider], [contenteditable]";

/** Clicks on times, Space while it plays, and P: plays from the focused row, or pauses. */
export function useSoundKeys(
  player: SoundPlayer | null,
  page: RefObject<HTMLElement | null>,
): void {
  const pauseOnSpace = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== " " || !player?.state.get().isPlaying || isPopupOpen()) return;
    if (event.target instanceof Element && event.target.closest(spaceControls)) return;
    event.preventDefault();
    event.stopPropagation();
    player.pause();
  });
  const playFrom = useEffectEvent((event: Event) => {
    const time =
      event.target instanceof Element && event.target.closest<HTMLElement>("[data-play-from]");
    if (!time) return;
    // From there Space pauses; on the button it would play again.
    findRow(time)?.focus({ preventScroll: true });
    void player?.play(Number(time.dataset.playFrom));
  });
  // Captured, because a row in view of one language swaps its text at Space.
  useEffect(() => listen(window, "keydown", pauseOnSpace, { capture: true }), []);
  useEffect(() => listen(page.current, "click", playFrom), [page]);
  useShortcuts(
    player
      ? {
          p: () => {
            const row = findRow(document.activeElement);
            const time =
              row && page.current?.contains(row) && row.querySelector("[data-play-from]");
            if (time instanceof HTMLElement && !player.state.get().isPlaying)
              void player.play(Number(time.dataset.playFrom));
            else player.toggle();
          },
        }
      : {},
  );
}
