import { lazy } from "react";
import { type FolderTree, getPath, listFolders } from "#client/state/library/folder-tree.ts";
import { LazySelect } from "#client/ui/select.tsx";
import { selectClass } from "#client/ui/select-props.ts";
import { useT } from "./messages/index.ts";

const load = () => import("#client/ui/search-select.tsx");
const SearchSelect = lazy(load);

/** Of the whole library, among the options. */
const library = "";

interface FolderSelectProps {
  label: string;
  /** Null while it is loaded. */
  tree: FolderTree | null;
  folderId: string | null;
  onChange: (folderId: string | null) => void;
  className?: string;
}

export function FolderSelect(props: FolderSelectProps) {
  const { label, tree, folderId, onChange, className = "" } = props;
  const t = useT();
  const name = useFolderName(tree);
  const folders = tree ? listFolders(tree.roots) : [];
  const options = [
    { value: library, label: t("proposals.library") },
    ...folders.map(({ id }) => ({ value: id, label: name(id) })),
  ];
  const shared = {
    label,
    text: name(folderId),
    className: `${selectClass} w-full justify-between ${className}`,
  };
  return (
    <LazySelect {...shared} load={load}>
      <SearchSelect
        {...shared}
        value={folderId ?? library}
        options={options}
        onChange={(value) => onChange(value === library ? null : value)}
        messages={{ search: t("tree.moveSearch"), noResult: t("home.noFolderFound") }}
      />
    </LazySelect>
  );
}

/** A function that names a folder with those above it. */
export function useFolderName(tree: FolderTree | null): (folderId: string | null) => string {
  const t = useT();
  return (folderId) =>
    folderId === null
      ? t("proposals.library")
      : tree
        ? getPath(tree, folderId)
            .map((folder) => folder.name)
            .join(" › ")
        : "…";
}
