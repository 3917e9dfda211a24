import { FileUp } from "lucide-react";
import { useId } from "react";
import { getButtonClass } from "./button.tsx";

interface FileChoiceProps {
  title: string;
  hint: string;
  /** On the button. */
  label: string;
  /** Of the file's name, without the dot. */
  extensions: readonly string[];
  /** Of files with other names, as phones ask for them: MIME types. */
  types?: readonly string[];
  takesSeveral?: boolean;
  /** Why the last file was refused. */
  error: string | null;
  /** True while files are dragged over the window. */
  isDraggedOver: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** A place for a file, with a button that chooses one. What is dropped is read by `useDroppedFiles`. */
export function FileChoice(props: FileChoiceProps) {
  const {
    title,
    hint,
    label,
    extensions,
    types = [],
    takesSeveral,
    error,
    isDraggedOver,
    onFiles,
  } = props;
  const id = useId();
  return (
    <div className="grid gap-3">
      <div
        className={`grid justify-items-center gap-3 rounded-m border border-dashed px-5 py-8 text-center transition-colors duration-150 ease-quiet ${isDraggedOver ? "border-ink bg-paper-3" : "border-rule-strong bg-paper-2"}`}
      >
        <FileUp className="size-6 text-ink-3" />
        <div className="grid gap-0.5">
          <p className="font-[550]">{title}</p>
          <p id={`${id}-hint`} className="tabular text-ink-3 text-sm">
            {hint}
          </p>
        </div>
        <label
          className={`${getButtonClass({ look: "ink" })} relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-ink has-focus-visible:outline-offset-2`}
        >
          {label}
          <input
            type="file"
            multiple={takesSeveral}
            accept={[...types, ...extensions.map((ending) => `.${ending}`)].join(",")}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : `${id}-hint`}
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])]);
              // Otherwise choosing the same file again after a correction would cause no event.
              event.target.value = "";
            }}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </label>
      </div>
      {error === null ? null : (
        <p id={`${id}-error`} role="alert" className="text-warn text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
