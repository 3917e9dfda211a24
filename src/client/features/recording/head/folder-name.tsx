import { getPath } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { withData } from "#client/state/queries.tsx";

export default withData(FolderName);

/** The lecture's folder, before other details; nothing where it has none. */
function FolderName({ id }: { id: string | null }) {
  const { tree } = useFolderTree();
  const name = tree && id !== null ? getPath(tree, id).at(-1)?.name : undefined;
  return name === undefined ? null : (
    <>
      <bdi className="overflow-hidden text-ellipsis">{name}</bdi>
      <span className="whitespace-pre"> · </span>
    </>
  );
}
