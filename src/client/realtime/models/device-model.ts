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
