import type { LectureUpdate } from "#client/realtime/server-api.ts";

export type LectureFields = Omit<LectureUpdate, "id">;

/** The latest values of the fields that are not confirmed by the server. */
export class ChangedFields {
  #fields: LectureFields = {};

  get isEmpty(): boolean {
    return Object.keys(this.#fields).length === 0;
  }

  add(fields: LectureFields): void {
    this.#fields = { ...this.#fields, ...fields };
  }

  /** Null when there are none. */
  getAll(): LectureFields | null {
    return this.isEmpty ? null : this.#fields;
  }

  /** Removes the fields of `saved`, except those that changed again meanwhile. */
  confirm(saved: LectureFields): void {
    const remaining: LectureFields = { ...this.#fields };
    for (const key of Object.keys(saved) as (keyof LectureFields)[]) {
      if (Object.is(remaining[key], saved[key])) delete remaining[key];
    }
    this.#fields = remaining;
  }

  clear(): void {
    this.#fields = {};
  }
}
