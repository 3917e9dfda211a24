/**
 * What describes a model, and where its files come from: the setting `SPEECH_MODEL_URL`, which the build puts into the
 * page and into the Content-Security-Policy.
 */

/** A model that this program offers to run on the device. */
export interface DeviceModel {
  /** Also the name of its folder where a site serves it itself. */
  id: string;
  purpose: "speech" | "translation";
  /** Shown as it is in every language. */
  name: string;
  /** BCP 47 tags of what it understands; `mul`: many languages. */
  languages: readonly string[];
  /** Size of all files, which a person agrees to before the download. */
  bytes: number;
  /** SPDX identifier. */
  licence: string;
  repository: string;
  /** Commit of the repository. */
  revision: string;
  /** Paths in the repository of the files that the model needs, small ones first. */
  files: readonly string[];
}

/** The public hub of the offered models. */
export const defaultModelUrl = "https://huggingface.co";

export interface ModelSource {
  /** `hub`: speaks the hub's API. `folder`: static files, written by `npm run models`. */
  kind: "hub" | "folder";
  /** Without a slash at the end. A folder of the site itself is a path, `/models`. */
  url: string;
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Reads the setting: the origin of a hub, the address of a folder, or the path of a folder of the site itself.
 *
 * @throws Error that says what is wrong with it.
 */
export function parseModelUrl(setting = defaultModelUrl): ModelSource {
  const fail = (problem: string) => new Error(`SPEECH_MODEL_URL: ${problem}`);
  const text = setting.trim();
  const isPath = text.startsWith("/") && !text.startsWith("//");
  if (!URL.canParse(text, isPath ? "https://site.invalid" : undefined))
    throw fail("must be an https: address, or the path of a folder of the site such as /models");
  const url = new URL(text, "https://site.invalid");
  if (url.username || url.password || url.search || url.hash)
    throw fail("must not contain a name, a password, a query or a fragment");
  const path = url.pathname.replace(/\/+$/, "");
  if (isPath) {
    if (path === "") throw fail("the site's files must be in a folder such as /models");
    return { kind: "folder", url: path };
  }
  const isAllowed =
    url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname));
  if (!isAllowed) throw fail("must be https:");
  return path === ""
    ? { kind: "hub", url: url.origin }
    : { kind: "folder", url: url.origin + path };
}

/**
 * The origins that the page may connect to for `source`, besides its own. The public hub sends large files from other
 * hosts (`https://huggingface.co/.well-known/meta.json` lists them), and the policy applies to redirects too.
 */
export function listModelOrigins({ url }: ModelSource): string[] {
  if (url === defaultModelUrl) return [url, "https://*.hf.co"];
  return url.startsWith("/") ? [] : [new URL(url).origin];
}

/** Address of the list of a model's files with lengths and hashes. */
export const getManifestUrl = (
  { kind, url }: ModelSource,
  { id, repository, revision }: { id: string; repository: string; revision: string },
): string =>
  kind === "hub"
    ? `${url}/api/models/${repository}/tree/${revision}?recursive=true`
    : `${url}/${id}/manifest.json`;

/** Address of a file of a model. */
export const getFileUrl = (
  { kind, url }: ModelSource,
  { id, repository, revision }: { id: string; repository: string; revision: string },
  name: string,
): string =>
  kind === "hub" ? `${url}/${repository}/resolve/${revision}/${name}` : `${url}/${id}/${name}`;
