import { type DBSchema, deleteDB } from "idb";
import { DatabaseConnection } from "#client/lib/database.ts";
import type { NewSlide } from "#shared/slides.ts";

/** Slides that wait on this device (IndexedDB) until the server has them and their pictures. */

export interface WaitingSlide {
  userId: string;
  lectureId: string;
  slide: NewSlide;
  full: Blob;
  thumbnail: Blob;
}

interface Schema extends DBSchema {
  slides: { key: string; value: WaitingSlide & { id: string }; indexes: { userId: string } };
}

const name = "dualect-slides";

/** Every method rejects where the browser stores nothing, or nothing more. */
export class WaitingSlides {
  readonly #connection = new DatabaseConnection<Schema>(name, 1, (database) => {
    database.createObjectStore("slides", { keyPath: "id" }).createIndex("userId", "userId");
  });

  constructor(private readonly userId: string) {}

  async list(): Promise<WaitingSlide[]> {
    const database = await this.#connection.open();
    return database.getAllFromIndex("slides", "userId", this.userId);
  }

  async put(waiting: WaitingSlide): Promise<void> {
    const database = await this.#connection.open();
    await database.put("slides", { ...waiting, id: waiting.slide.id });
  }

  async remove(id: string): Promise<void> {
    await (await this.#connection.open()).delete("slides", id);
  }
}

/** Deletes those of all users. @throws when another page holds the store open, and does not let go of it. */
export const deleteWaitingSlides = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const blocked = () => reject(new Error("the waiting slides are in use"));
    deleteDB(name, { blocked }).then(resolve, reject);
  });
