import { RecordingLink } from "../recording-link.ts";
import type { LinkDeps, LinkOrigin } from "../sound-link.ts";

export { IndexedDbSpool } from "../spool/indexed-db.ts";
export { openMicrophone } from "./audio-source.ts";
export { refusal } from "./refusal.ts";

export const makeLink = (deps: LinkDeps, origin: LinkOrigin) => new RecordingLink(deps, origin);
