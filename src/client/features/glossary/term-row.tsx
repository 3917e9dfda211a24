import { Trash2 } from "lucide-react";
import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton } from "#client/ui/button.tsx";
import { type Column, columnMaxLengths, columns } from "./columns.ts";
import { useT } from "./messages/index.ts";
import type { CellMode, Direction, GridCommands } from "./use-term-grid.ts";

const shared =
  "grid items-start border-rule border-b [contain-intrinsic-size:auto_2.5625rem] [content-visibility:auto]";

/** A row of the folder's own terms; on a phone it is a card of two lines. */
export const rowClass = `${shared} grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,6fr)_9.5rem_2.5rem] max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.75rem]`;

/** A row of inherited terms: the same columns, with actions in place of the last two. */
export const inheritedRowClass = `${shared} grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,6fr)_12rem] max-sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]`;

/** The texts of cells begin at the page's left edge. */
export const tableClass = "-mx-2.5 block";

export const headClass = "px-2.5 pb-1.5 text-left wrap-anywhere font-[550] text-ink-3 text-xs";

export const cellTextClass = "whitespace-pre-wrap px-2.5 py-2 leading-6 wrap-anywhere";

interface TermRowProps {
  id: string;
  term: string;
  translation: string;
  note: string;
  origin: string;
  /** The row for a new term. */
  isDraft: boolean;
  /** Why the server does not have the row's text. */
  message: string | undefined;
  canRetry: boolean;
  /** The cell that has the focus or is the table's tab stop. */
  activeColumn: Column | null;
  mode: CellMode;
  /** By column. */
  names: Record<Column, string>;
  tags: Record<Column, string | undefined>;
  commands: GridCommands;
  onLeave: () => void;
}

/** An own term of the folder. Compared by its texts: a thousand of them are on the page. */
export const TermRow = memo(function TermRow(props: TermRowProps) {
  const { id, term, isDraft, origin, message, canRetry, activeColumn, mode, commands, onLeave } =
    props;
  const t = useT();
  return (
    <tr className={rowClass}>
      {columns.map((column) => (
        <Cell
          key={column}
          id={id}
          column={column}
          commands={commands}
          onLeave={onLeave}
          isDraft={isDraft}
          text={props[column]}
          label={t("glossary.cell", {
            column: props.names[column],
            term: term || t("glossary.newTerm"),
          })}
          tag={props.tags[column]}
          isRowActive={activeColumn !== null && mode !== "closed"}
          isTabStop={activeColumn === column}
          mode={activeColumn === column ? mode : "closed"}
          {...(message !== undefined && { messageId: `${id}-message` })}
        />
      ))}
      <td className="px-2.5 py-3 text-ink-3 text-xs leading-4 max-sm:hidden">
        <span dir="auto" title={origin} className="line-clamp-2 wrap-anywhere">
          {origin}
        </span>
      </td>
      <td className="text-right max-sm:col-start-3 max-sm:row-start-1">
        {isDraft ? null : (
          <IconButton
            icon={Trash2}
            label={t("glossary.delete", { term })}
            tabIndex={-1}
            // The focus stays in the table.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => commands.remove(id)}
            className="size-9 opacity-60 hover:opacity-100"
          />
        )}
      </td>
      {message === undefined ? null : (
        <td
          aria-colspan={columns.length + 2}
          className="col-span-full flex flex-wrap items-center gap-2 px-2.5 pb-2"
        >
          <span id={`${id}-message`} role="alert" className="grow text-sm text-warn">
            {message}
          </span>
          {isDraft ? null : (
            <>
              <Button size="small" onClick={() => commands.discard(id)}>
                {t("glossary.discard")}
              </Button>
              {canRetry ? (
                <Button size="small" onClick={() => commands.retry(id)}>
                  {t("common.retry")}
                </Button>
              ) : null}
            </>
          )}
        </td>
      )}
    </tr>
  );
});

interface CellProps extends Pick<TermRowProps, "id" | "isDraft" | "mode" | "commands" | "onLeave"> {
  column: Column;
  text: string;
  label: string;
  tag: string | undefined;
  /** A cell of the row has the focus. */
  isRowActive: boolean;
  isTabStop: boolean;
  messageId?: string;
}

const columnClasses: Record<Column, string> = {
  term: "text-left font-[550] max-sm:col-start-1",
  translation: "max-sm:col-start-2",
  note: "text-ink-2 max-sm:col-span-2 max-sm:col-start-1 max-sm:row-start-2 max-sm:-mt-2 max-sm:text-sm",
};

function Cell(props: CellProps) {
  const { id, column, text, tag, isTabStop, mode, isDraft, commands } = props;
  const t = useT();
  const isTouch = useRef(false);
  const isOpen = mode !== "closed";
  // On a phone an empty note takes no place before somebody edits the term.
  const hiddenClass = column === "note" && !text && !props.isRowActive ? "max-sm:hidden" : "";
  const placeholder = isDraft && column === "term" ? t("glossary.addTerm") : "";
  const Element = column === "term" ? "th" : "td";
  return (
    <Element
      {...(column === "term" && { scope: "row" })}
      dir="auto"
      lang={tag}
      tabIndex={isOpen ? undefined : isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) commands.open(id, column);
      }}
      onPointerDown={({ pointerType }) => {
        isTouch.current = pointerType === "touch";
      }}
      onMouseDown={(event) => {
        if (isOpen || event.button !== 0) return;
        // The open cell's field takes the focus.
        event.preventDefault();
        commands.open(id, column, isTouch.current ? "typing" : "selected");
      }}
      className={`relative grid min-h-10 min-w-0 cursor-text rounded-s focus-within:bg-sheet focus-visible:outline-offset-[-2px] ${columnClasses[column]} ${hiddenClass}`}
    >
      {isOpen ? (
        <CellField key={`${id} ${column}`} {...props} placeholder={placeholder} />
      ) : (
        <span className={`${cellTextClass} ${text ? "" : "text-ink-3"}`}>
          {text || placeholder}
        </span>
      )}
    </Element>
  );
}

const arrows: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** The open cell. Only one of the page's cells has a field: that also takes what an input method composes. */
function CellField(props: CellProps & { placeholder: string }) {
  const { id, column, text, label, mode, messageId, placeholder, commands, onLeave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = typed ?? text;
  const isTyping = mode === "typing";

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    if (document.activeElement !== area) area.focus();
    if (isTyping && area.selectionStart === 0 && area.selectionEnd === area.value.length)
      area.setSelectionRange(area.value.length, area.value.length);
    if (!isTyping) area.select();
  }, [isTyping]);

  function handleKey(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (key === "Tab") return commands.move(shiftKey ? "previous" : "next");
    if (isTyping) {
      if (key === "Escape") {
        setTyped(null);
        commands.cancel();
      } else if (key === "Enter" && !(column === "note" && shiftKey)) commands.moveDown();
      else return false;
      return true;
    }
    const arrow = arrows[key];
    if (key === "Escape") onLeave();
    else if (key === "Delete") commands.remove(id);
    else if (key === "Enter" || key === "F2") commands.startTyping();
    else if (isCommand && (key === "Home" || key === "End"))
      commands.move(key === "Home" ? "first" : "last");
    else if (arrow && !isCommand && !shiftKey && !event.altKey) commands.move(arrow);
    else return false;
    return true;
  }

  return (
    <>
      {/* As high as the text, with letters as large as the field's: see theme.css. */}
      <span aria-hidden="true" className={`invisible pointer-coarse:text-[1rem] ${cellTextClass}`}>
        {`${shown || placeholder}\u200b`}
      </span>
      <textarea
        ref={field}
        rows={1}
        value={shown}
        placeholder={placeholder}
        maxLength={Math.max(columnMaxLengths[column], text.length)}
        autoComplete="off"
        enterKeyHint="next"
        aria-label={label}
        aria-invalid={messageId ? true : undefined}
        aria-describedby={messageId}
        data-is-changed={typed !== null && typed !== text}
        onChange={({ target }) => {
          setTyped(target.value);
          commands.type(target.value);
        }}
        onMouseDown={() => {
          if (!isTyping) commands.startTyping();
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text/plain").replace(/\r?\n$/, "");
          if (!pasted.includes("\t") && (isTyping || !/[\r\n]/.test(pasted))) return;
          event.preventDefault();
          commands.addTable(pasted);
        }}
        onKeyDown={(event) => {
          // Keys are no shortcuts of the page here. Undo is: see `useGlossaryEdits`.
          if (event.nativeEvent.isComposing) return;
          if (handleKey(event)) event.preventDefault();
        }}
        onBlur={({ target }) => commands.leave(document.activeElement === target)}
        className={`absolute inset-0 size-full resize-none overflow-hidden rounded-s bg-transparent focus-visible:outline-offset-[-2px] ${cellTextClass}`}
      />
    </>
  );
}
