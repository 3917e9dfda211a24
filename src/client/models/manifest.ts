import * as z from "zod/mini";
import { ModelError } from "./model-error.ts";
import { type DeviceModel, getManifestUrl, type ModelSource } from "./model-source.ts";

/** Which files a model has, how long they are, and by which hash they are checked. */

export interface ManifestFile {
  /** In the model's folder, `onnx/encoder_model_quantized.onnx`. */
  path: string;
  bytes: number;
  /** In lower-case hex. `git-sha1` is the name of a blob in git: the hub states no other hash of small files. */
  hash: { algorithm: "sha256" | "git-sha1"; value: string };
  /** What the source serves, in order, by name in the model's folder: the file itself, or pieces of it. */
  pieces: readonly { name: string; bytes: number }[];
}

const filePath = z.string().check(z.regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/));
const length = z.int().check(z.nonnegative());
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const sha1 = z.string().check(z.regex(/^[0-9a-f]{40}$/));

/** `manifest.json` of a folder that `npm run models` writes. */
const folderManifest = z.object({
  repository: z.string(),
  revision: z.string(),
  /** A longer file is cut into pieces of this length, `NAME.0`, `NAME.1` and so on. */
  pieceBytes: z.int().check(z.positive()),
  files: z.array(z.object({ path: filePath, bytes: length, sha256 })),
});
export type FolderManifest = z.infer<typeof folderManifest>;

/** The hub's list of a repository. `lfs` has the SHA-256 of files that are not in git itself. */
const hubListing = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: length,
    oid: sha1,
    lfs: z.optional(z.object({ oid: sha256, size: length })),
  }),
);

/** The pieces in which a folder holds a file. */
export function listPieces(path: string, bytes: number, pieceBytes: number) {
  if (bytes <= pieceBytes) return [{ name: path, bytes }];
  return Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, index) => ({
    name: `${path}.${index}`,
    bytes: Math.min(pieceBytes, bytes - index * pieceBytes),
  }));
}

function readFolder(json: unknown): ManifestFile[] {
  const { files, pieceBytes } = folderManifest.parse(json);
  return files.map(({ path, bytes, sha256: value }) => ({
    path,
    bytes,
    hash: { algorithm: "sha256", value },
    pieces: listPieces(path, bytes, pieceBytes),
  }));
}

const readHub = (json: unknown): ManifestFile[] =>
  hubListing
    .parse(json)
    .filter(({ type }) => type === "file")
    .map(({ path, size, oid, lfs }) => {
      const bytes = lfs?.size ?? size;
      return {
        path,
        bytes,
        hash: lfs ? { algorithm: "sha256", value: lfs.oid } : { algorithm: "git-sha1", value: oid },
        pieces: [{ name: path, bytes }],
      };
    });

/**
 * Fetches what the source says of the model's files, in the model's order. `get` requests an address.
 *
 * @throws ModelError `unreachable` or `missing`; an AbortError.
 */
export async function fetchManifest(
  model: DeviceModel,
  source: ModelSource,
  get: (url: string) => Promise<Response>,
): Promise<ManifestFile[]> {
  const response = await get(getManifestUrl(source, model));
  const text = await readText(response);
  let found: ManifestFile[];
  try {
    const json: unknown = JSON.parse(text);
    found = source.kind === "hub" ? readHub(json) : readFolder(json);
  } catch (cause) {
    throw new ModelError("missing", `no list of files at ${response.url}`, { cause });
  }
  const byPath = new Map(found.map((file) => [file.path, file]));
  return model.files.map((path) => {
    const file = byPath.get(path);
    if (!file) throw new ModelError("missing", `${path} is not in ${response.url}`);
    return file;
  });
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (cause instanceof Error && cause.name === "AbortError") throw cause;
    throw new ModelError("unreachable", `the answer of ${response.url} broke off`, { cause });
  }
}
