import { createReadStream } from "node:fs";
import { appendFile, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { downloadModel, type ModelTarget } from "#client/models/download-model.ts";
import { type FolderManifest, listPieces, type ManifestFile } from "#client/models/manifest.ts";
import type { DeviceModel, ModelSource } from "#client/models/model-source.ts";

/** Cloudflare serves no static file above 25 MiB, so longer ones are cut. */
const defaultPieceBytes = 20 * 1024 * 1024;

interface FetchOptions {
  source: ModelSource;
  /** The model gets a folder with its id in it. */
  folder: string;
  print(line: string): void;
  pieceBytes?: number;
}

/**
 * Downloads a model into a folder, checks it, cuts long files and writes `manifest.json` last.
 *
 * @throws ModelError; what has arrived is kept for the next run.
 */
export async function fetchModel(model: DeviceModel, options: FetchOptions): Promise<void> {
  const { source, folder, print, pieceBytes = defaultPieceBytes } = options;
  const directory = join(folder, model.id);
  print(`${model.id} from ${source.url} into ${directory}`);
  let percent = -1;
  await downloadModel(model, createFolderTarget(model, directory, pieceBytes), {
    source,
    // Who runs the command sees the size in its list, and files are not on a person's device.
    agreedBytes: Number.POSITIVE_INFINITY,
    fetch,
    signal: new AbortController().signal,
    getFreeBytes: async () => null,
    onProgress(loaded, total) {
      const next = Math.floor((loaded / total) * 10) * 10;
      if (next <= percent) return;
      percent = next;
      print(`  ${percent} % of ${(total / 1e6).toFixed(1)} MB`);
    },
  });
  print("  complete, lengths and hashes are right");
}

const getLength = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.size ?? null;

/** A file is `PATH.partial` until it is whole; then its pieces take its place. */
function createFolderTarget(
  model: DeviceModel,
  directory: string,
  pieceBytes: number,
): ModelTarget {
  const files = new Map<string, ManifestFile>();
  const hashes = new Map<string, string>();
  const getPath = (name: string) => join(directory, name);
  const getPartial = (path: string) => getPath(`${path}.partial`);
  const getPieces = (path: string) => listPieces(path, files.get(path)?.bytes ?? 0, pieceBytes);

  /** The files on disk that hold what is stored of `path`, with their lengths. */
  async function listStored(path: string): Promise<{ name: string; bytes: number }[]> {
    const partialBytes = await getLength(getPartial(path));
    if (partialBytes !== null) return [{ name: `${path}.partial`, bytes: partialBytes }];
    const pieces = getPieces(path);
    const lengths = await Promise.all(pieces.map(({ name }) => getLength(getPath(name))));
    return pieces.every(({ bytes }, index) => bytes === lengths[index]) ? pieces : [];
  }

  async function* read(path: string): AsyncGenerator<Uint8Array> {
    for (const { name } of await listStored(path)) yield* createReadStream(getPath(name));
  }

  async function clear(path: string): Promise<void> {
    for (const { name } of [...getPieces(path), { name: `${path}.partial` }])
      await rm(getPath(name), { force: true });
  }

  return {
    async begin(wanted) {
      // Nobody may take a folder for whole that is being written.
      await rm(getPath("manifest.json"), { force: true });
      for (const file of wanted) {
        files.set(file.path, file);
        await mkdir(dirname(getPath(file.path)), { recursive: true });
      }
      // Files of an earlier run are checked again, so none is confirmed here.
      const stored = await Promise.all(
        wanted.map(async ({ path }) => {
          const bytes = (await listStored(path)).reduce((sum, part) => sum + part.bytes, 0);
          return [path, { bytes, isConfirmed: false }] as const;
        }),
      );
      return new Map(stored);
    },
    read,
    append: (path, chunks) => appendFile(getPartial(path), Buffer.concat(chunks)),
    async confirm(path, sha256) {
      hashes.set(path, sha256);
      const partial = getPartial(path);
      if ((await getLength(partial)) === null) return;
      let start = 0;
      for (const { name, bytes } of getPieces(path)) {
        const piece = createReadStream(partial, { start, end: start + bytes - 1 });
        await writeFile(getPath(name), bytes === 0 ? "" : piece);
        start += bytes;
      }
      await rm(partial);
    },
    clear,
    async finish() {
      const { repository, revision } = model;
      const manifest: FolderManifest = {
        repository,
        revision,
        pieceBytes,
        files: [...files.values()].map(({ path, bytes }) => ({
          path,
          bytes,
          sha256: hashes.get(path) ?? "",
        })),
      };
      const unfinished = getPath("manifest.json.partial");
      await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`);
      await rename(unfinished, getPath("manifest.json"));
    },
    // A full disk: what is stored stays, for a second run after making room.
    discard: async () => {},
  };
}
