import { Signal } from "#client/lib/observable.ts";
import { takesPerCallMax } from "#shared/limits.ts";
import type { Gap, RecordedTake } from "#shared/recorded-take.ts";

type Takes = readonly RecordedTake[];

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const sort = (takes: Takes): Takes => takes.toSorted((a, b) => a.startedAt - b.startedAt);
const listGaps = (takes: Takes): Gap[] =>
  takes.flatMap(({ gaps }) => gaps).toSorted((a, b) => a.atMs - b.atMs);

/** What became of the sound of a lecture's takes, and which of it the server has not confirmed. */
export class RecordedTakes {
  /** In the order in which they began. */
  readonly list: Signal<Takes>;
  /** Of all takes, by time. The same list until one of them changes. */
  readonly gaps: Signal<readonly Gap[]>;
  /** What is to be saved, by the take's id. */
  readonly #changed: Map<string, RecordedTake>;

  /** `isStored`: the server has `takes`. */
  constructor(takes: Takes, isStored: boolean) {
    this.list = new Signal(sort(takes));
    this.gaps = new Signal<readonly Gap[]>(listGaps(takes));
    this.#changed = new Map(isStored ? [] : takes.map((take) => [take.id, take]));
  }

  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  /** The server has what was last put as due. */
  isSaved(id: string): boolean {
    return !this.#changed.has(id);
  }

  /** `isDue`: it is to be saved. */
  put(take: RecordedTake, isDue: boolean): void {
    if (isDue) this.#changed.set(take.id, take);
    const before = this.list.get().find(({ id }) => id === take.id);
    if (isEqual(before, take)) return;
    this.#set([...this.list.get().filter((one) => one !== before), take]);
  }

  /** What the server has not confirmed, as much as one call may carry; null without changes. */
  getChanges(): RecordedTake[] | null {
    if (!this.hasChanges) return null;
    return [...this.#changed.values()].slice(0, takesPerCallMax);
  }

  /** The server has `saved`. What is due again meanwhile is still to be saved. */
  confirm(saved: Takes): void {
    for (const take of saved)
      if (this.#changed.get(take.id) === take) this.#changed.delete(take.id);
  }

  /** Takes over what another tab or device has saved; what is newer here goes first. */
  merge(stored: Takes): void {
    const isOwn = ({ id }: RecordedTake) => this.#changed.has(id);
    this.#set([...stored.filter((take) => !isOwn(take)), ...this.list.get().filter(isOwn)]);
  }

  /** Drops what is not saved: the lecture was closed or deleted. */
  dropChanges(): void {
    this.#changed.clear();
  }

  #set(takes: Takes): void {
    this.list.set(sort(takes));
    const gaps = listGaps(takes);
    if (!isEqual(gaps, this.gaps.get())) this.gaps.set(gaps);
  }
}
