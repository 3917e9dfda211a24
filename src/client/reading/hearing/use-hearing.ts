import { useEffect, useEffectEvent, useRef, useState } from "react";
import { browserClock } from "#client/lib/clock.ts";
import { listen } from "#client/lib/listen.ts";
import { RowMarker } from "#client/reading/mark-row.ts";
import { type PageProps, shownSound } from "#client/reading/reading-state.ts";
import { findReadRow, getPosition } from "#client/reading/use-rows.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { createBrowserSynthesizer } from "./browser-synthesizer.ts";
import { getStoredVoice, hearPace } from "./hear-choices.ts";
import { type HearRequest, notSpokenRows } from "./hear-state.ts";
import { Hearing } from "./hearing.ts";

/** What speaks the lecture in `language`, until the page is left; null before the first effect. */
export function useHearing(
  { lecture, page }: PageProps,
  language: TranslationLanguage,
  request: HearRequest,
): Hearing | null {
  const [hearing, setHearing] = useState<Hearing | null>(null);
  const answered = useRef<HearRequest>(null);
  const start = useEffectEvent(() => {
    const read = page.current && findReadRow(page.current);
    const first = read && lecture.transcript.rows()[getPosition(read)];
    answered.current = request;
    shownSound.get()?.pause();
    const ports = {
      clock: browserClock,
      synthesizer: createBrowserSynthesizer(),
      languageTags: navigator.languages,
    };
    const choices = { language, voiceId: getStoredVoice(language), pace: hearPace.get() };
    const isRecording = lecture.view.get().status === "recording";
    const fromId = request.fromId ?? (isRecording ? null : (first?.id ?? null));
    return new Hearing(lecture, ports, choices, fromId);
  });

  useEffect(() => {
    const opened = start();
    setHearing(opened);
    const marker = new RowMarker(page, () => !opened.state.get().isLive);
    const showState = () => {
      const { rowId, notSpoken } = opened.state.get();
      const row = lecture.transcript.rows().find(({ id }) => id === rowId);
      marker.mark(row?.position ?? null);
      notSpokenRows.set(notSpoken);
    };
    showState();
    const ends = [
      opened.state.subscribe(showState),
      // Chrome goes on speaking in a tab that has been closed.
      listen(window, "pagehide", () => opened.hold()),
      holdWhileSoundPlays(opened),
    ];
    return () => {
      for (const end of ends) end();
      opened.dispose();
      marker.clear();
      notSpokenRows.set(new Set());
    };
  }, [lecture, page]);

  useEffect(() => {
    if (hearing === null || answered.current === request) return;
    answered.current = request;
    shownSound.get()?.pause();
    hearing.hear(request.fromId);
  }, [hearing, request]);

  return hearing;
}

/** The original and the voice are not heard at once. */
function holdWhileSoundPlays(hearing: Hearing): () => void {
  let unsubscribe = () => {};
  const watch = () => {
    unsubscribe();
    const player = shownSound.get();
    unsubscribe =
      player?.state.subscribe(() => {
        if (player.state.get().isPlaying && !hearing.state.get().isHeld) hearing.hold();
      }) ?? (() => {});
  };
  watch();
  const end = shownSound.subscribe(watch);
  return () => {
    end();
    unsubscribe();
  };
}
