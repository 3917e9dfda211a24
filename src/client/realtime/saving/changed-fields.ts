import type { LectureUpdate } from "#client/realtime/server-api.ts";

export type LectureFields = Omit<LectureUpdate, "id">;

/** The fields that changed and are not confirmed: the latest value of each. */
export class ChangedFields {
  #fields: LectureFields = {};

  get isEmpty(): boolean {
    return Object.keys(this.#fields).length === 0;
  }

  add(fields: LectureFields): void {
    this.#fields = { ...this.#fields, ...fields };
  }

  /** What is to be saved now; null when there is nothing. */
  getAll(): LectureFields | null {
    return this.isEmpty ? null : this.#fields;
  }

  /** The server has `saved`; what changed again meanwhile stays. */
  confirm(saved: LectureFields): void {
    const left: LectureFields = { ...this.#fields };
    for (const key of Object.keys(saved) as (keyof LectureFields)[]) {
      if (Object.is(left[key], saved[key])) delete left[key];
    }
    this.#fields = left;
  }

  clear(): void {
    this.#fields = {};
  }
}
