import { type FormEvent, useState } from "react";
import { useOnLoading } from "#client/reading/reading-state.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { getPath, listFolders } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { DataProvider } from "#client/state/queries.tsx";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { Select } from "#client/ui/select.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";

/** What the person enters. `folderId` null: no folder. */
interface Entry {
  name: string;
  folderId: string | null;
}

/** The entry of each session's last Save, until that has succeeded. */
const failedSaves = new WeakMap<
  RecordingSession,
  { lectureId: string | undefined; current: Entry; entry: Entry }
>();

/** What the lecture is called now (empty for a draft that has only its date), and where it is. */
function getCurrentEntry(session: RecordingSession): Entry {
  const { lecture } = session.view.get();
  return {
    name: lecture && lecture.titleSource !== "date" ? lecture.title : "",
    folderId: lecture?.folderId ?? null,
  };
}

interface SaveFormProps {
  session: RecordingSession;
  onClose: () => void;
}

/** Names the lecture and files it. */
export function SaveForm({ session, onClose }: SaveFormProps) {
  const t = useT();
  const [current] = useState(() => getCurrentEntry(session));
  const [entry, setEntry] = useState(() => {
    const lectureId = session.view.get().lecture?.id;
    const failed = failedSaves.get(session);
    const isSame = failed?.lectureId === lectureId && failed?.current.name === current.name;
    return isSame && failed ? failed.entry : current;
  });
  // The longer title of an import, for example, is shown and kept in full.
  const maxLength = Math.max(lectureNameMaxLength, current.name.length);

  // The name is for this lecture, not for the one that is being opened.
  useOnLoading(session, onClose);

  function save(event: FormEvent) {
    event.preventDefault();
    const { name, folderId } = entry;
    const keep = (next: Entry) =>
      failedSaves.set(session, { lectureId: session.view.get().lecture?.id, current, entry: next });
    keep(entry);
    onClose();
    const unsubscribe = session.onNotice(({ kind }) => {
      if (kind === "lectureSaved") failedSaves.delete(session);
      if (kind === "folderMissing") keep({ name, folderId: current.folderId });
    });
    const saving =
      folderId === current.folderId ? session.save(name) : session.save(name, folderId);
    void saving.finally(unsubscribe);
  }

  return (
    <form onSubmit={save} className="flex flex-col gap-5">
      <TextField
        label={t("saveDialog.name")}
        placeholder={t("saveDialog.placeholder")}
        value={entry.name}
        maxLength={maxLength}
        autoComplete="off"
        // The dialog gives it the focus: a name that was proposed is replaced by typing.
        onFocus={(event) => event.target.select()}
        hint={t("saveDialog.count", { count: entry.name.length, max: maxLength })}
        onChange={(event) => setEntry({ ...entry, name: event.target.value })}
      />
      <DataProvider>
        <FolderChoice
          folderId={entry.folderId}
          onChange={(folderId) => setEntry({ ...entry, folderId })}
        />
      </DataProvider>
      <SubmitButtons label={t("saveDialog.save")} onCancel={onClose} />
    </form>
  );
}

/** The option for no folder; the other options are folders' ids. */
const noFolder = "none";

interface FolderChoiceProps {
  folderId: string | null;
  onChange: (folderId: string | null) => void;
}

/** Nothing for a person without folders, and until they are known. */
function FolderChoice({ folderId, onChange }: FolderChoiceProps) {
  const t = useT();
  const { tree } = useFolderTree();
  if (tree === null || tree.roots.length === 0) return null;
  const getLabel = (id: string) =>
    getPath(tree, id)
      .map(({ name }) => name)
      .join(" / ");
  return (
    <div className="grid gap-1.5">
      <span className="font-medium text-ink-2 text-sm">{t("saveDialog.folder")}</span>
      <Select
        label={t("saveDialog.folder")}
        value={folderId !== null && tree.byId.has(folderId) ? folderId : noFolder}
        options={[
          { value: noFolder, label: t("saveDialog.noFolder") },
          ...listFolders(tree.roots).map(({ id }) => ({ value: id, label: getLabel(id) })),
        ]}
        onChange={(value) => onChange(value === noFolder ? null : value)}
        className="w-full justify-between"
      />
    </div>
  );
}
