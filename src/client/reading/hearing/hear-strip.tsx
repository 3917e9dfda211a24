import { AudioLines, ChevronDown, Pause, Play, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTargetName } from "#client/i18n/language-names.ts";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { recordingControls, useEdgeOffset } from "#client/reading/edge-offset.ts";
import { type PageProps, shownSound } from "#client/reading/reading-state.ts";
import { openSources } from "#client/sound/display/sound-sources.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import type { TranslationLanguage } from "#shared/languages.ts";
import { hearPace, hearPaces, setHearPace, storeVoice } from "./hear-choices.ts";
import { allowVoices, stopHearing } from "./hear-state.ts";
import type { Hearing, HearingState } from "./hearing.ts";
import { useT } from "./messages/index.ts";
import { hasEarphones } from "./output.ts";

/** More voices for one language than anybody tries. */
const voicesMax = 24;

interface HearStripProps extends PageProps {
  hearing: Hearing;
  language: TranslationLanguage;
  languages: readonly TranslationLanguage[];
  onLanguage: (language: TranslationLanguage) => void;
}

/** While the translation is heard: what ends it, the voice and its pace, and what keeps it from being heard. */
export function HearStrip(props: HearStripProps) {
  const { lecture, page, hearing } = props;
  const t = useT();
  const r = useReadingT();
  const state = useValue(hearing.state);
  const message = useMessage(lecture, props.language, state);
  const { isHeld, isLive, voice } = state;
  const PlayIcon = isHeld ? Play : Pause;

  function stop() {
    stopHearing();
    page.current?.focus({ preventScroll: true });
  }

  function toggle() {
    if (!isHeld) return hearing.hold();
    allowVoices();
    shownSound.get()?.pause();
    hearing.goOn();
  }

  return (
    <StripPlace page={page}>
      <section
        aria-label={r("hear.translation")}
        data-hear
        className="flex min-h-11 min-w-0 flex-wrap items-center gap-x-1"
      >
        {voice && (isHeld || !isLive) ? (
          <IconButton
            icon={PlayIcon}
            iconClass="size-4.5 fill-current"
            label={t(isHeld ? "hear.goOn" : "hear.pause")}
            onClick={toggle}
          />
        ) : null}
        {voice ? <Choices {...props} state={state} /> : null}
        <p
          role="status"
          className="min-w-0 flex-1 text-pretty px-2 text-ink-2 text-sm max-sm:order-last max-sm:basis-full max-sm:empty:hidden max-sm:[&:not(:empty)]:pb-1.5"
        >
          {message}
        </p>
        <span className="sm:hidden flex-1" />
        {isLive ? null : <OriginalButton lecture={lecture} hearing={hearing} />}
        <IconButton icon={X} iconClass="size-4.5" label={t("hear.stop")} onClick={stop} />
      </section>
    </StripPlace>
  );
}

/** Among the controls of a recording, or at the foot of a reader's text, which has none. */
function StripPlace({ page, children }: Pick<PageProps, "page"> & { children: ReactNode }) {
  const controls = useValue(recordingControls);
  if (controls) return createPortal(children, controls);
  const surface = page.current?.closest("[data-reading]");
  return surface ? createPortal(<OwnFoot>{children}</OwnFoot>, surface) : null;
}

function OwnFoot({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEdgeOffset("--controls-height", box);
  return (
    <div
      ref={box}
      className="absolute inset-x-0 bottom-0 z-1 border-rule border-t bg-paper px-5 max-sm:px-3"
    >
      {children}
    </div>
  );
}

/** Why nothing is heard, or what one should know while it is. */
function useMessage(
  lecture: LectureDocument,
  language: TranslationLanguage,
  { isLive, problem }: HearingState,
): string | null {
  const t = useT();
  const nameTarget = useTargetName();
  const hasSpeakers = useLoudspeakers(isLive);
  const sources = useValue(openSources);
  if (problem) return t(`hear.${problem}`, { language: nameTarget(language) });
  if (!hasSpeakers) return null;
  if (lecture.isReadOnly) return t("hear.earphonesReader");
  const hasMicrophone = sources.length === 0 || sources.some(({ kind }) => kind === "microphone");
  return hasMicrophone ? t("hear.earphonesRecording") : null;
}

/** Whether others, or the microphone, may hear the voice; false where nobody records. */
function useLoudspeakers(isLive: boolean): boolean {
  const [isKnown, setKnown] = useState<boolean | null>(null);
  useEffect(() => {
    if (!isLive) return;
    const { mediaDevices } = navigator;
    const look = () => void hasEarphones(mediaDevices).then(setKnown);
    look();
    mediaDevices?.addEventListener("devicechange", look);
    return () => mediaDevices?.removeEventListener("devicechange", look);
  }, [isLive]);
  return isLive && isKnown === false;
}

/** The voices for the language, the pace, and of a two-way lecture the language. */
function Choices(props: HearStripProps & { state: HearingState }) {
  const { hearing, language, languages, onLanguage, state } = props;
  const t = useT();
  const nameTarget = useTargetName();
  const { voice, voices } = state;
  const pace = useValue(hearPace);
  const name = voice?.name ?? "";
  const entries: MenuEntry[] = [
    ...hearPaces.map((value) => ({
      key: `${value}`,
      label: t("hear.pace", { pace: value }),
      choice: { kind: "radio", isChosen: value === pace } as const,
      run: () => {
        setHearPace(value);
        hearing.choosePace(value);
      },
    })),
    ...(languages.length > 1 ? languages : []).map((value, index) => ({
      key: value,
      label: nameTarget(value),
      startsGroup: index === 0,
      choice: { kind: "radio", isChosen: value === language } as const,
      run: () => onLanguage(value),
    })),
    ...voices.slice(0, voicesMax).map((one, index) => ({
      key: `${one.id} ${one.name}`,
      label: one.isLocal ? one.name : t("hear.network", { voice: one.name }),
      startsGroup: index === 0,
      choice: { kind: "radio", isChosen: one.id === voice?.id } as const,
      run: () => {
        storeVoice(language, one.id);
        hearing.chooseVoice(one.id);
      },
    })),
  ];
  return (
    <Menu
      heading={t("hear.heading")}
      entries={entries}
      trigger={{
        "aria-label": t("hear.choices", { voice: name, pace }),
        title: t("hear.choices", { voice: name, pace }),
        className:
          "touch-target tabular flex h-9 min-w-0 max-w-72 shrink items-center gap-1.5 rounded-s px-2 text-ink text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 max-sm:max-w-[calc(100%-9.5rem)]",
        children: (
          <>
            <bdi className="truncate">{name}</bdi>
            <span className="shrink-0 font-[550]">{pace}×</span>
            <ChevronDown className="size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
          </>
        ),
      }}
    />
  );
}

/** Plays the kept sound of the sentence that is spoken, or was last; then the voice goes on. */
function OriginalButton({ lecture, hearing }: { lecture: LectureDocument; hearing: Hearing }) {
  const t = useT();
  const player = useValue(shownSound);
  const { rowId } = useValue(hearing.state);
  const [lastId, setLastId] = useState(rowId);
  if (rowId !== null && rowId !== lastId) setLastId(rowId);
  const [endMs, setEndMs] = useState<number | null>(null);
  const row = lecture.transcript.rows().find(({ id }) => id === lastId);

  useEffect(() => {
    if (!player || endMs === null) return;
    const end = player.state.subscribe(() => {
      const { isPlaying, ms } = player.state.get();
      if (isPlaying && ms < endMs) return;
      // Before the pause, which changes the state too.
      end();
      setEndMs(null);
      // Paused before its end, it is what the person wants.
      if (!isPlaying) return;
      player.pause();
      hearing.goOn();
    });
    return end;
  }, [player, endMs, hearing]);

  if (!player || !row || !hasSound(player, row)) return null;
  return (
    <IconButton
      icon={AudioLines}
      iconClass="size-4.5"
      label={t("hear.original")}
      onClick={() => {
        hearing.hold();
        void player.play(row.startMs);
        setEndMs(row.endMs);
      }}
    />
  );
}

const hasSound = (player: SoundPlayer, { startMs, endMs }: TranscriptRow): boolean =>
  endMs > startMs && player.hasSoundAt(startMs);
