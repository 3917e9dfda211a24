import type { ErrorCode } from "../../../shared/errors.ts";
import { askParam, relayAnswer } from "../../../shared/relay.ts";
import { GuestTickets } from "../guest-tickets.ts";
import { isFinal, refused } from "../relay/relay-end.ts";
import type { LivePath } from "../session-ports.ts";
import { IndexedDbTakes } from "../takes/indexed-db-takes.ts";
import { newTake, Take } from "../takes/take.ts";
import { TakeUploader } from "../takes/take-uploader.ts";
import { moveStoredSound } from "../takes/version-1.ts";

export { openMicrophone } from "./audio-source.ts";

const storage = typeof indexedDB === "undefined" ? null : new IndexedDbTakes(() => Date.now());

export const livePath: LivePath = {
  storage,
  migrate: async (claim) => {
    if (storage !== null) await moveStoredSound({ takes: storage, claim });
  },
  newTake: (lectureId) => newTake(crypto.randomUUID(), lectureId),
  openTake: (deps, take, stored) => new Take(deps, take, stored),
  createUploader: (deps) => new TakeUploader(deps),
  createGuestTickets: (deps) => new GuestTickets(deps),
  isFinal,
  refused,
};

export async function refusal(path: string): Promise<ErrorCode | null> {
  try {
    const address = new URL(path, location.href);
    address.searchParams.set(askParam, "1");
    const response = await fetch(address, { headers: { accept: "application/json" } });
    return relayAnswer.parse(await response.json()).refusal;
  } catch {
    return null;
  }
}
