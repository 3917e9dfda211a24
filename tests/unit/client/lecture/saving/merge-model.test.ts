import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isCorrected } from "#client/lecture/rows/merge-rows.ts";
import { type RowUpdate, UnsavedRows } from "#client/lecture/saving/unsaved-rows.ts";
import type { SavedRows, TranscriptEntry } from "#shared/lecture.ts";
import { compareRows } from "#shared/row-order.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type StoredRows, saveRows } from "#tests/unit/client/recorder/kit/row-store.ts";

/** What becomes of a call: of the request, and of its answer. */
type Fate = "answered" | "answeredLater" | "answerLost" | "requestLost" | "late" | "twice";

type Step = { device: number } & (
  | { do: "add" | "recognize" | "catchUp" | "read" | "takeRead" | "receive" }
  | { do: "correct" | "translate" | "write" | "restore"; row: number }
  | { do: "send"; fate: Fate }
);

const deviceCount = 3;

const device = fc.nat(deviceCount - 1);
const row = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      device,
      do: fc.constantFrom("add", "recognize", "catchUp", "read", "takeRead", "receive"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      device,
      row,
      do: fc.constantFrom("correct", "translate", "write", "restore"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      device,
      do: fc.constant("send"),
      fate: fc.constantFrom<Fate>(
        "answered",
        "answeredLater",
        "answerLost",
        "requestLost",
        "late",
        "twice",
      ),
    }),
  },
) as fc.Arbitrary<Step>;

type Row = Omit<TranscriptEntry, "seq">;

/** A page, without what shows its rows. */
class Device {
  readonly rows = new Map<string, Row>();
  readonly unsaved = new UnsavedRows((id) => this.rows.get(id), []);
  /** What another person has written, where this device's text was kept: row, field and text. */
  readonly offered = new Set<string>();
  /** A copy of the lecture that was read and not yet taken over. */
  copy: Pick<StoredRows, "entries" | "seq"> | null = null;
  /** An answer that is under way; no other call is made meanwhile. */
  answer: (() => void) | null = null;

  list(): Row[] {
    return [...this.rows.values()].sort(compareRows);
  }

  change(row: Row): void {
    this.rows.set(row.id, row);
    this.unsaved.add(row.id);
  }

  show({ entries, deletedIds }: RowUpdate): void {
    for (const { seq: _, other, ...row } of entries) {
      this.rows.set(row.id, row);
      for (const [field, text] of Object.entries(other ?? {}))
        this.offered.add(`${row.id} ${field} ${text}`);
    }
    for (const id of deletedIds) this.rows.delete(id);
  }

  takeOver({ entries, seq }: Pick<StoredRows, "entries" | "seq">): void {
    const deletedIds = this.unsaved.listDeleted({ entries, seq });
    this.show(this.unsaved.merge({ seq, entries, deletedIds }));
  }
}

type Field = "original" | "translated";

class Play {
  readonly server: StoredRows = { entries: [], seq: 0, deletedSeqs: new Map() };
  readonly devices = Array.from({ length: deviceCount }, () => new Device());
  /** Requests that reach the server late. */
  readonly late: (() => void)[] = [];
  /** What persons have written, by row and field, in order. */
  readonly written = new Map<string, { device: Device; text: string }[]>();
  /** What a person had on the page and has written something else for: row, field and text. */
  readonly replaced = new Set<string>();
  /** The row that an ordinal was seen to name in a stored lecture: marks and citations keep ordinals. */
  readonly named = new Map<number, string>();
  #texts = 0;

  take(step: Step): void {
    const device = this.devices[step.device] ?? new Device();
    switch (step.do) {
      case "add":
        device.change(this.#createRow(device));
        break;
      case "recognize":
        this.#recognize(device);
        break;
      case "catchUp":
        device.takeOver(this.#read());
        break;
      case "read":
        device.copy = this.#read();
        break;
      case "takeRead":
        if (device.copy) device.takeOver(device.copy);
        device.copy = null;
        break;
      case "receive":
        device.answer?.();
        this.late.shift()?.();
        break;
      case "send":
        this.#send(device, step.fate);
        break;
      default: {
        const rows = device.list();
        const row = rows[step.row % Math.max(1, rows.length)];
        if (row) this.#change(device, row, step.do);
      }
    }
  }

  #change(device: Device, row: Row, how: "correct" | "translate" | "write" | "restore"): void {
    const text = `t${this.#nextText()}`;
    const translation = { translated: text, translatedInto: "fr" } as const;
    switch (how) {
      case "correct": {
        const corrected = { ...row, original: text, originalByHand: true };
        device.change(row.translatedByHand ? corrected : { ...corrected, translated: "" });
        this.#note(device, row, "original", text);
        break;
      }
      case "translate":
        if (!row.translatedByHand) device.change({ ...row, ...translation });
        break;
      default: {
        // A person may also write what was there before.
        const [before] = this.written.get(`${row.id} translated`) ?? [];
        const translated = how === "restore" && before ? before.text : text;
        device.change({ ...row, ...translation, translated, translatedByHand: true });
        this.#note(device, row, "translated", translated);
      }
    }
  }

  /** Rows that nobody has corrected, as far as the device knows, are replaced. */
  #recognize(device: Device): void {
    const deleted = device.list().flatMap(({ id }) => {
      const stored = device.unsaved.getStored(id);
      return stored && !isCorrected(stored) ? [{ id, seq: stored.seq }] : [];
    });
    // In a part of the sound there may be no words.
    const entries = deleted.slice(1).map(() => ({ ...this.#createRow(device), seq: 0 }));
    saveRows(this.server, { entries, deleted });
    device.takeOver(this.#read());
  }

  #send(device: Device, fate: Fate): void {
    if (device.answer !== null) return;
    const entries = device.unsaved.takeNext();
    if (entries.length === 0) return;
    const request = () => saveRows(this.server, { entries, deleted: [] });
    const confirm = (saved: SavedRows) => device.show(device.unsaved.confirm(entries, saved));
    if (fate === "late" || fate === "twice") this.late.push(request);
    if (fate === "requestLost" || fate === "late") return;
    const saved = request();
    if (fate === "answered" || fate === "twice") confirm(saved);
    if (fate === "answeredLater")
      device.answer = () => {
        device.answer = null;
        confirm(saved);
      };
  }

  #read(): Pick<StoredRows, "entries" | "seq"> {
    const { entries, seq } = this.server;
    for (const { id, ordinal } of entries) {
      expect(this.named.get(ordinal) ?? id).toBe(id);
      this.named.set(ordinal, id);
    }
    return { entries: [...entries], seq };
  }

  /** Several begin at the same time, and devices give the same ordinals. */
  #createRow(device: Device): Row {
    const ordinal = 1 + Math.max(-1, ...[...device.rows.values()].map((row) => row.ordinal));
    const startMs = Math.floor(this.#nextText() / 3) * 1_000;
    const { seq: _, ...row } = createEntry(`r${this.#texts}`, startMs, { ordinal });
    return { ...row, translatedInto: "fr" };
  }

  #nextText(): number {
    this.#texts += 1;
    return this.#texts;
  }

  #note(device: Device, before: Row, field: Field, text: string): void {
    const key = `${before.id} ${field}`;
    this.replaced.add(`${key} ${before[field]}`);
    this.written.set(key, [...(this.written.get(key) ?? []), { device, text }]);
  }

  /** The network is there again, and every device has time. */
  end(): void {
    for (const device of this.devices) device.answer?.();
    for (const request of this.late.splice(0)) request();
    // A device that has nothing to send takes over what the others have sent.
    for (let round = 0; round < 4; round += 1)
      for (const device of this.devices) {
        device.takeOver(this.#read());
        for (let call = 0; device.unsaved.hasChanges; call += 1) {
          expect(call).toBeLessThan(5);
          this.#send(device, "answered");
        }
      }
  }
}

const sentAndRestored: Step[] = [
  { device: 0, do: "add" },
  { device: 0, row: 0, do: "write" },
  { device: 0, do: "send", fate: "answered" },
  { device: 0, row: 0, do: "write" },
  { device: 0, do: "send", fate: "answerLost" },
  { device: 0, row: 0, do: "restore" },
];

const ofTwoPersons: Step[] = [
  { device: 0, do: "add" },
  { device: 0, do: "send", fate: "answered" },
  { device: 1, do: "catchUp" },
  { device: 0, row: 0, do: "correct" },
  { device: 1, row: 0, do: "correct" },
  { device: 0, row: 0, do: "write" },
  { device: 1, row: 0, do: "write" },
  { device: 0, do: "send", fate: "answered" },
  { device: 1, do: "send", fate: "answerLost" },
  { device: 1, do: "catchUp" },
];

const getWords = ({ id, ordinal, original, translated }: Row) =>
  `${id} ${ordinal} ${original} ${translated}`;

test("all devices end with the same rows, a row keeps its ordinal for good, and what a person has written is there or was offered", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 80, size: "max" }), (steps) => {
      const play = new Play();
      for (const one of steps) play.take(one);
      play.end();
      const stored = new Map(play.server.entries.map((row) => [row.id, row]));
      const expected = play.server.entries.map(getWords);
      for (const device of play.devices) {
        expect(device.list().map(getWords)).toEqual(expected);
        expect(device.unsaved.hasChanges).toBe(false);
      }
      for (const [key, written] of play.written) {
        const [id = "", field = ""] = key.split(" ");
        const text = stored.get(id)?.[field as Field];
        const texts = written.map((one) => one.text);
        const isOfOne = new Set(written.map((one) => one.device)).size === 1;
        // Only another person's text may have replaced it.
        if (isOfOne) expect(text).toBe(texts.at(-1));
        else expect(texts).toContain(text);
        const offered = play.devices.flatMap((device) => [...device.offered]);
        for (const lost of texts.filter((one) => one !== text))
          expect([...play.replaced, ...offered]).toContain(`${key} ${lost}`);
      }
    }),
    {
      numRuns: countRuns(3_000),
      examples: [
        // A person writes what was there before, and the answer to the call between has been lost.
        [sentAndRestored],
        // They change both texts of a row, and each knows nothing of the other.
        [ofTwoPersons],
      ],
    },
  );
});
