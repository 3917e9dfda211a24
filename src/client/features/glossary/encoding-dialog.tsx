import type { FormEvent } from "react";
import type { TextEncoding } from "#client/lib/text-encodings.ts";
import { Dialog, SubmitButtons } from "#client/ui/dialog.tsx";
import { EncodingField } from "#client/ui/encoding-field.tsx";
import { useT } from "./messages/index.ts";
import type { DoubtfulTable } from "./use-table-import.ts";

/** Lines of a file that show whether it reads well. */
const shownLines = 5;

interface EncodingDialogProps extends DoubtfulTable {
  onEncoding: (encoding: TextEncoding) => void;
  onConfirm: () => void;
  onClose: () => void;
}

/** Shows how a table reads, and lets the person choose another encoding, where several are likely. */
export function EncodingDialog(props: EncodingDialogProps) {
  const { file, decoded, onEncoding, onConfirm, onClose } = props;
  const t = useT();
  const lines = decoded.text.split("\n").filter((line) => /[^\0-\x7f]/.test(line));
  function submit(event: FormEvent) {
    event.preventDefault();
    onConfirm();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("glossary.encoding.title")}
      description={t("glossary.encoding.text", { name: file.name })}
    >
      <form onSubmit={submit} className="flex min-w-0 flex-col gap-5">
        <ul className="grid gap-1.5 rounded-m bg-paper-2 px-3.5 py-2.5 text-sm">
          {lines.slice(0, shownLines).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id
            <li key={index} dir="auto" className="line-clamp-2 min-w-0 wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
        <EncodingField
          label={t("glossary.encoding.label")}
          value={decoded.encoding}
          others={decoded.others}
          onChange={onEncoding}
        />
        <SubmitButtons label={t("glossary.encoding.confirm")} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
