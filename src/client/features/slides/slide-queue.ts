import { toApiError } from "#client/lib/call-server.ts";
import { type Clock, Timer } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { WaitingSlide, WaitingSlides } from "#client/state/stored/waiting-slides.ts";
import { type Backoff, getBackoffMs, slidesPerCallMax } from "#shared/limits.ts";
import type { NewSlide, SlideKind } from "#shared/slides.ts";

const retryDelays: Backoff = { firstMs: 2_000, maxMs: 120_000 };

interface Ports {
  userId: string;
  clock: Clock;
  /** Keeps what waits for times without a network. */
  store: Pick<WaitingSlides, "list" | "put" | "remove">;
  /** @throws ApiError */
  save: (lectureId: string, slides: NewSlide[]) => Promise<unknown>;
  /** @throws ApiError */
  send: (id: string, kind: SlideKind, picture: Blob) => Promise<unknown>;
  /** The server has slides that it did not have. */
  onSaved: (lectureId: string) => Promise<unknown>;
  /** Slides were refused for good, and wait no more. */
  onRefused: (failure: unknown, count: number) => void;
}

/** Sends slides one after the other, and those that could not be sent again later, also after a reload. */
export class SlideQueue {
  /** In the order in which they are sent. */
  readonly waiting = new Signal<readonly WaitingSlide[]>([]);
  readonly #retry: Timer;
  #isRunning = false;
  #failures = 0;

  constructor(private readonly ports: Ports) {
    this.#retry = new Timer(ports.clock);
  }

  /** Takes up what waits since another visit. */
  async restore(): Promise<void> {
    try {
      const known = new Set(this.waiting.get().map(({ slide }) => slide.id));
      const stored = await this.ports.store.list();
      const more = stored.filter(({ slide }) => !known.has(slide.id));
      if (more.length > 0) this.waiting.set([...more, ...this.waiting.get()]);
    } catch (failure) {
      console.warn("Slides that wait could not be read", failure);
    }
    await this.wake();
  }

  async add(slides: readonly Omit<WaitingSlide, "userId">[]): Promise<void> {
    const added = slides.map((slide) => ({ ...slide, userId: this.ports.userId }));
    this.waiting.set([...this.waiting.get(), ...added]);
    await Promise.all(added.map((one) => this.#keep(one)));
    await this.wake();
  }

  /** Changes a slide that waits. False: it does not. */
  change(id: string, change: Pick<NewSlide, "rowId" | "placedBy">): boolean {
    const found = this.waiting.get().find(({ slide }) => slide.id === id);
    if (!found) return false;
    const changed = { ...found, slide: { ...found.slide, ...change } };
    this.waiting.set(this.waiting.get().map((one) => (one === found ? changed : one)));
    void this.#keep(changed);
    return true;
  }

  /** Sends no longer what waits of `ids`. */
  remove(ids: readonly string[]): void {
    for (const one of this.waiting.get()) if (ids.includes(one.slide.id)) this.#drop(one);
  }

  /** Sends what waits now. */
  async wake(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#retry.cancel();
    try {
      while (this.waiting.get().length > 0 && (await this.#sendBatch()));
    } finally {
      this.#isRunning = false;
    }
  }

  dispose(): void {
    this.#retry.cancel();
  }

  /** False: it has to be tried again later. */
  async #sendBatch(): Promise<boolean> {
    const lectureId = this.waiting.get()[0]?.lectureId ?? "";
    const batch = this.waiting
      .get()
      .filter((one) => one.lectureId === lectureId)
      .slice(0, slidesPerCallMax);
    const isSaved = await this.#try(batch, () =>
      this.ports.save(
        lectureId,
        batch.map(({ slide }) => slide),
      ),
    );
    if (isSaved !== "done") return isSaved === "refused";
    for (const one of batch) {
      const sent = await this.#try([one], async () => {
        await this.ports.send(one.slide.id, "full", one.full);
        await this.ports.send(one.slide.id, "thumbnail", one.thumbnail);
      });
      if (sent === "later") return false;
    }
    await this.ports.onSaved(lectureId);
    // One that was moved meanwhile is saved again.
    for (const one of batch) if (this.waiting.get().includes(one)) this.#drop(one);
    return true;
  }

  async #try(
    batch: readonly WaitingSlide[],
    run: () => Promise<unknown>,
  ): Promise<"done" | "refused" | "later"> {
    try {
      await run();
      this.#failures = 0;
      return "done";
    } catch (failure) {
      const { retryable, code } = toApiError(failure);
      if (retryable || code === "unauthenticated") {
        this.#retry.start(getBackoffMs(retryDelays, this.#failures), () => void this.wake());
        this.#failures += 1;
        return "later";
      }
      this.remove(batch.map(({ slide }) => slide.id));
      this.ports.onRefused(failure, batch.length);
      return "refused";
    }
  }

  async #keep(waiting: WaitingSlide): Promise<void> {
    await this.ports.store
      .put(waiting)
      .catch((failure: unknown) => console.warn("A slide waits in memory only", failure));
  }

  #drop(waiting: WaitingSlide): void {
    this.waiting.set(this.waiting.get().filter((one) => one.slide.id !== waiting.slide.id));
    this.ports.store
      .remove(waiting.slide.id)
      .catch((failure: unknown) => console.warn("A sent slide stays on this device", failure));
  }
}
