import { Copy, Flag, Headphones, Pause, Pencil, Play, Search, StickyNote } from "lucide-react";
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { listen } from "#client/lib/listen.ts";
import { copyText } from "#client/lib/notifications.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import { useT } from "./dialog-messages/index.ts";
import { formulaMessages } from "./formulas/messages/index.ts";
import { hear } from "./hearing/hear-state.ts";
import { lookUpRow, shownSound } from "./reading-state.ts";
import { RowTool } from "./row-tool.tsx";
import { searchTarget } from "./search-target.ts";
import { deleteMarks, type Marks } from "./use-marks.ts";
import { findRow, getPosition } from "./use-rows.ts";

const FormulaTool = lazyPart(() => import("./formulas/formula-tool.tsx"), formulaMessages);

/** A page that is scrolled by more than two lines is read on, px. */
const readOnPx = 60;
/** Of the page's foot with the tools above it, px. */
const footPx = 160;
/** A second click in this time selects a word, and the sound stays where it is, ms. */
const doubleClickMs = 250;

interface RowToolsProps {
  lecture: LectureDocument;
  edit: (position: number) => void;
  marks: Marks["rows"];
  /** A sentence is touched: what is said next must not move it. Returns whether the end was followed until now. */
  stopFollowing: () => boolean;
  /** It is not touched any more. */
  follow: () => void;
  /** The rows. */
  children: ReactNode;
}

/**
 * When a person touches a row, its tools lie over the next row, and the sound is heard from there, at once where it was
 * heard before: nobody wants to be surprised by it in a library.
 */
export function RowTools(props: RowToolsProps) {
  const { lecture, edit, marks, stopFollowing, follow, children } = props;
  const player = useValue(shownSound);
  const [touched, setTouched] = useState<HTMLElement | null>(null);
  const playing = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The end was followed when a row was touched, and is again when its tools go, unless one has scrolled away. */
  const holdsEnd = useRef(false);
  const leaveRow = () => {
    holdsEnd.current = false;
    setTouched(null);
  };
  const close = () => {
    if (holdsEnd.current) follow();
    leaveRow();
  };

  function touch({ target, detail }: MouseEvent) {
    clearTimeout(playing.current);
    if (lecture.isReadOnly || !(target instanceof Element)) return;
    const row = findRow(target);
    const isControl = target.closest("button, a, textarea, [role=toolbar]");
    if (!row || isControl) return;
    // A selected word has tools of its own.
    if (detail > 1 || window.getSelection()?.isCollapsed === false) return leaveRow();
    if (row === touched) return close();
    searchTarget.set(null);
    if (stopFollowing()) holdsEnd.current = true;
    setTouched(row);
    const from = getPlayFrom(row);
    if (player && from !== null)
      playing.current = setTimeout(() => player.seek(from), doubleClickMs);
  }

  useEffect(() => () => clearTimeout(playing.current), []);
  useEffect(() => {
    if (!touched) return;
    touched.dataset.touched = "";
    const box = touched.closest("section");
    const top = box?.scrollTop ?? 0;
    const leave = () => {
      holdsEnd.current = false;
      setTouched(null);
    };
    const unlisten = listen(
      box,
      "scroll",
      () => {
        if (Math.abs((box?.scrollTop ?? 0) - top) > readOnPx) leave();
      },
      { passive: true },
    );
    // It goes with its row, and out of view.
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === false) leave();
      },
      { root: box },
    );
    observer.observe(touched);
    return () => {
      unlisten();
      observer.disconnect();
      delete touched.dataset.touched;
    };
  }, [touched]);
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || !touched || event.defaultPrevented || event.isComposing) return;
    if (!(event.target instanceof Node) || !touched.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    touched.focus({ preventScroll: true });
    close();
  });
  useEffect(() => listen(window, "keydown", leave, { capture: true }), []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of its rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: rows have keys of their own
    <div onClick={touch}>
      {children}
      {touched && !touched.querySelector("textarea")
        ? createPortal(
            <Toolbar
              lecture={lecture}
              row={touched}
              player={player}
              marks={marks}
              edit={edit}
              onClose={close}
              onLeave={leaveRow}
            />,
            touched,
          )
        : null}
    </div>
  );
}

/** Where the kept sound of a row begins, ms; null where none is kept. */
function getPlayFrom(row: HTMLElement): number | null {
  const { playFrom } = row.querySelector<HTMLElement>("[data-play-from]")?.dataset ?? {};
  return playFrom === undefined ? null : Number(playFrom);
}

interface ToolbarProps extends Pick<RowToolsProps, "lecture" | "marks" | "edit"> {
  row: HTMLElement;
  player: SoundPlayer | null;
  onClose: () => void;
  /** Another thing of the row takes its place, and the row stays where it is. */
  onLeave: () => void;
}

function Toolbar({ lecture, row, player, marks, edit, onClose, onLeave }: ToolbarProps) {
  const t = useT();
  const position = getPosition(row);
  const own = marks.get(position) ?? [];
  // Over the row before it where there is no room above the page's foot.
  const [isAbove] = useState(() => {
    const bottom =
      row.closest("section")?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
    return row.getBoundingClientRect().bottom > bottom - footPx;
  });
  const from = getPlayFrom(row);
  const shown = lecture.transcript.rows()[position];
  const isHeard =
    useField(lecture.view, "targetLanguage") !== "none" && shown?.translation === "done";

  function copy() {
    if (!shown) return;
    const texts = [shown.original, shown.translation === "done" ? shown.translated : ""];
    const text = texts.filter((one) => one !== "").join("\n");
    void copyText(text, t("reading.copied"), [t("reading.copyFailed")]);
    onClose();
  }

  return (
    <div
      role="toolbar"
      aria-label={t("reading.rowTools")}
      className={`row-toolbar fades absolute z-2 flex gap-0.5 rounded-m border border-rule-control bg-sheet p-0.5 font-ui text-ink shadow-sheet ${isAbove ? "bottom-[calc(100%-0.125rem)]" : "top-[calc(100%-0.125rem)]"}`}
    >
      {player && from !== null ? <PlayTool player={player} from={from} /> : null}
      {isHeard ? (
        <RowTool
          icon={Headphones}
          label={t("row.hear")}
          name={t("hear.translation")}
          onClick={() => {
            hear(shown.id);
            onClose();
          }}
        />
      ) : null}
      <RowTool
        icon={Flag}
        iconClass={own.length > 0 ? "fill-current" : ""}
        label={t(own.length > 0 ? "row.unmark" : "row.mark")}
        onClick={() => {
          if (own.length > 0) deleteMarks(lecture, own);
          else lecture.addMark(position);
        }}
      />
      {/* The click is handled by `MarkTools`. */}
      <RowTool icon={StickyNote} label={t("row.note")} data-add-note={position} onClick={onLeave} />
      <RowTool
        icon={Search}
        label={t("row.lookUp")}
        onClick={() => {
          lookUpRow.set(row);
          onLeave();
        }}
      />
      <RowTool
        icon={Pencil}
        label={t("row.correct")}
        onClick={() => {
          onLeave();
          edit(position);
        }}
      />
      <RowTool icon={Copy} label={t("row.copy")} onClick={copy} />
      <FormulaTool lecture={lecture} position={position} onDone={onClose} />
    </div>
  );
}

function PlayTool({ player, from }: { player: SoundPlayer; from: number }) {
  const t = useT();
  const { isPlaying } = useValue(player.state);
  return (
    <RowTool
      icon={isPlaying ? Pause : Play}
      label={t(isPlaying ? "row.pause" : "row.play")}
      onClick={() => (isPlaying ? player.pause() : void player.play(from))}
    />
  );
}
