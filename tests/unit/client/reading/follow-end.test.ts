// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Follower, followEnd, getSpaceBelow } from "#client/reading/follow-end.ts";

const windowPx = 600;

/** Rows below each other in a box of 600 px, as a browser lays them out. Row 0 is named `row0`. */
class Layout {
  readonly box = document.createElement("section");
  readonly text = document.createElement("div");
  readonly space = document.createElement("div");
  readonly heights = new Map<Element, number>();
  width = 390;
  /** Height of the bars above the box, px. */
  barsPx = 0;
  #scrollTop = 0;
  #layOut = () => {};
  /** Offsets from which rows were moved, in the last layout. */
  moved: number[] = [];

  constructor(rows: number) {
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(private readonly run: () => void) {}
        observe = () => this.#set();
        disconnect = () => {};
        #set = () => {
          setLayOut(this.run);
        };
      },
    );
    const setLayOut = (run: () => void) => (this.#layOut = run);
    this.box.append(this.text, this.space);
    document.body.append(this.box);
    const rect = (top: number, height: number) => ({ top, bottom: top + height, left: 0, height });
    const define = (element: Element, property: string, get: () => unknown, set?: unknown) =>
      Object.defineProperty(element, property, { get, ...(set ? { set } : {}) } as never);
    define(this.box, "clientHeight", () => this.#boxPx);
    define(this.box, "scrollHeight", () => Math.max(this.#boxPx, this.#contentPx));
    define(
      this.box,
      "scrollTop",
      () => this.#scrollTop,
      (top: number) => {
        const max = Math.max(0, this.#contentPx - this.#boxPx);
        this.#scrollTop = Math.min(max, Math.max(0, top));
      },
    );
    define(this.text, "clientWidth", () => this.width);
    this.box.getBoundingClientRect = () => rect(this.barsPx, this.#boxPx) as DOMRect;
    for (let index = 0; index < rows; index += 1) this.addRow(60);
    document.elementFromPoint = (_, y) =>
      this.rows.find((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top <= y && y < bottom;
      }) ?? null;
  }

  get rows(): HTMLElement[] {
    return [...this.text.querySelectorAll<HTMLElement>("[data-row]")];
  }

  get #boxPx(): number {
    return windowPx - this.barsPx;
  }

  get #spacePx(): number {
    return Number.parseFloat(this.space.style.height) || 0;
  }

  get #contentPx(): number {
    return [...this.heights.values()].reduce((sum, height) => sum + height, this.#spacePx);
  }

  addRow(height: number): HTMLElement {
    const row = document.createElement("div");
    row.dataset.row = `${this.heights.size}`;
    this.heights.set(row, height);
    this.text.append(row);
    row.getBoundingClientRect = () => {
      const above = this.rows.slice(0, this.rows.indexOf(row));
      const top = above.reduce((sum, one) => sum + (this.heights.get(one) ?? 0), 0);
      const height = this.heights.get(row) ?? 0;
      // Less text than fits stands at the lower edge.
      const start = this.barsPx + Math.max(0, this.#boxPx - this.#contentPx) - this.#scrollTop;
      return { top: start + top, bottom: start + top + height, left: 0, height } as DOMRect;
    };
    row.animate = (way) => {
      const [from = ""] = (way as { transform: string[] }).transform;
      this.moved.push(Number.parseFloat(from.slice("translateY(".length)));
      return { playState: "finished", cancel() {} } as Animation;
    };
    return row;
  }

  setHeight(index: number, height: number): void {
    const row = this.rows.at(index);
    if (row) this.heights.set(row, height);
  }

  /** The browser has laid out, and calls its observers. */
  layOut(): void {
    this.moved = [];
    this.box.scrollTop = this.#scrollTop;
    this.#layOut();
  }

  top(index: number): number {
    return this.rows.at(index)?.getBoundingClientRect().top ?? Number.NaN;
  }

  /** Lower edge of the last row. */
  get end(): number {
    return this.rows.at(-1)?.getBoundingClientRect().bottom ?? Number.NaN;
  }

  /** A person scrolls. */
  scroll(px: number): void {
    this.box.dispatchEvent(new Event("wheel"));
    this.box.scrollTop += px;
    this.box.dispatchEvent(new Event("scroll"));
  }
}

let layout: Layout;
let follower: Follower;
const follow = (rows: number) => {
  layout = new Layout(rows);
  follower = followEnd({ box: layout.box, text: layout.text, space: layout.space });
  layout.layOut();
};

beforeEach(() => follow(30));
afterEach(() => {
  follower.end();
  layout.box.remove();
  vi.unstubAllGlobals();
});

describe("the end of a text", () => {
  it("stands, from the first row on", () => {
    follow(0);
    for (let row = 0; row < 40; row += 1) {
      layout.addRow(60);
      layout.layOut();
      expect(layout.end).toBe(windowPx);
    }
  });

  it("stands while its last row grows by a line, and what is above goes up by it, in one move", () => {
    const before = layout.top(-3);
    layout.setHeight(-1, 90);
    layout.layOut();
    expect(layout.end).toBe(windowPx);
    expect(layout.top(-3)).toBe(before - 30);
    expect(new Set(layout.moved)).toEqual(new Set([30]));
  });

  it("stands while a row above it grows late: only what is above that goes up", () => {
    const [above, grown, below] = [layout.top(-5), layout.top(-4), layout.top(-3)];
    layout.setHeight(-4, 120);
    layout.layOut();
    expect([layout.top(-5), layout.top(-4), layout.top(-3)]).toEqual([
      above - 60,
      grown - 60,
      below,
    ]);
    expect(layout.end).toBe(windowPx);
  });

  it("moves nothing down when words are taken back, and stands again with the next ones", () => {
    layout.setHeight(-1, 120);
    layout.layOut();
    const before = layout.top(-3);
    layout.setHeight(-1, 60);
    layout.layOut();
    expect(layout.top(-3)).toBe(before);
    expect(layout.moved).toEqual([]);
    layout.setHeight(-1, 120);
    layout.layOut();
    expect(layout.top(-3)).toBe(before);
    expect(layout.end).toBe(windowPx);
  });

  it("moves nothing down when a bar comes above it after words were taken back", () => {
    layout.setHeight(-1, 30);
    layout.layOut();
    const { end } = layout;
    layout.barsPx = 45;
    layout.layOut();
    expect(layout.end).toBe(end);
    expect(layout.moved).toEqual([]);
  });

  it("moves nothing down when a row grows late after words were taken back", () => {
    layout.setHeight(-1, 120);
    layout.layOut();
    layout.setHeight(-1, 60);
    layout.layOut();
    const [above, below, last] = [layout.top(-5), layout.top(-3), layout.top(-1)];
    layout.setHeight(-4, 90);
    layout.layOut();
    expect([layout.top(-5), layout.top(-3), layout.top(-1)]).toEqual([above - 30, below, last]);
  });

  it("is followed on when words are taken back, and the browser scrolls", () => {
    layout.setHeight(-1, 20);
    layout.box.scrollTop += 0;
    layout.box.dispatchEvent(new Event("scroll"));
    layout.layOut();
    expect(follower.isFollowing).toBe(true);
  });

  it("is shown without a move where the width of the text has changed", () => {
    layout.width = 844;
    for (const index of layout.rows.keys()) layout.setHeight(index, 30);
    layout.layOut();
    expect(layout.end).toBe(windowPx);
    expect(layout.moved).toEqual([]);
  });
});

describe("a page that is scrolled back", () => {
  beforeEach(() => layout.scroll(-500));

  it("is not followed, and keeps the row that is read where it is, whatever grows", () => {
    expect(follower.isFollowing).toBe(false);
    const read = layout.rows.findIndex((row) => row.getBoundingClientRect().top >= 60);
    const before = layout.top(read);
    layout.addRow(60);
    layout.setHeight(2, 200);
    layout.setHeight(-2, 200);
    layout.layOut();
    expect(layout.top(read)).toBe(before);
  });

  it("is followed again from its end on", () => {
    layout.scroll(300);
    expect(follower.isFollowing).toBe(false);
    layout.scroll(300);
    expect(follower.isFollowing).toBe(true);
    layout.addRow(60);
    layout.layOut();
    expect(layout.end).toBe(windowPx);
  });

  it("is followed again when that is asked for", () => {
    follower.follow();
    expect(follower.isFollowing).toBe(true);
    expect(layout.end).toBe(windowPx);
  });
});

describe("is followed on", () => {
  it.each([
    ["a touch of the wheel", () => layout.scroll(-20)],
    [
      "many rows that come at once, before a scroll is told",
      () => {
        for (let row = 0; row < 200; row += 1) layout.addRow(60);
        layout.box.dispatchEvent(new Event("scroll"));
      },
    ],
    [
      "a window that becomes narrower",
      () => {
        layout.width = 300;
        layout.box.scrollTop -= 400;
        layout.box.dispatchEvent(new Event("scroll"));
      },
    ],
  ])("after %s", (_, happen) => {
    happen();
    layout.layOut();
    expect(follower.isFollowing).toBe(true);
    expect(layout.end).toBe(windowPx);
  });
});

describe("the space below a text", () => {
  it.each([
    [0, 30, 200, 30],
    [30, -30, 200, 0],
    [30, -100, 200, 0],
    [30, 300, 200, 0],
    [30, 10, 200, 40],
  ])("of %i px that goes down by %i, at most %i, becomes %i", (space, down, max, next) => {
    expect(getSpaceBelow(space, down, max)).toBe(next);
  });
});
