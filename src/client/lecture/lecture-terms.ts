import type { Log } from "#client/lib/log.ts";
import { Signal } from "#client/lib/observable.ts";
import { type Glossary, type GlossaryTerm, resolveTerms } from "#shared/glossary.ts";

interface Deps {
  /** @throws ApiError */
  readGlossary(folderId: string | null): Promise<Glossary>;
  /** Of the lecture. */
  getFolderId(): string | null;
  log: Log;
}

/** The terms that apply to a lecture, by its folder. Empty until they are read. */
export class LectureTerms {
  readonly list = new Signal<readonly GlossaryTerm[]>([]);
  /** Of the last request; undefined before the first. */
  #folderId: string | null | undefined;
  #requests = 0;
  #hasFailed = false;

  constructor(private readonly deps: Deps) {}

  /** Reads the terms again if the lecture has another folder than before, or they were never read. */
  update(): void {
    if (this.deps.getFolderId() !== this.#folderId) this.refresh();
  }

  /** Tries again after a failure: the network is back. */
  wake(): void {
    if (this.#hasFailed) this.refresh();
  }

  /** Reads the terms. After a failure those from before stay. */
  refresh(): void {
    const folderId = this.deps.getFolderId();
    this.#folderId = folderId;
    this.#requests += 1;
    this.#hasFailed = false;
    const request = this.#requests;
    this.deps.readGlossary(folderId).then(
      (glossary) => {
        if (request === this.#requests) this.list.set(resolveTerms(glossary));
      },
      () => {
        this.deps.log.warn("glossary not read");
        if (request === this.#requests) this.#hasFailed = true;
      },
    );
  }
}
