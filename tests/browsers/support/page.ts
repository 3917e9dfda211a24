import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "@playwright/test";
import { type Driver, keys, until } from "./driver.ts";
import { look, type Place, readFocus, type Target } from "./in-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A page in a browser that Playwright does not drive. Each method waits, up to its limit, until it can do its work. */
export class BrowserPage {
  constructor(
    readonly driver: Driver,
    private readonly origin: string,
  ) {}

  async goto(path: string): Promise<void> {
    await this.driver.navigate(this.origin + path);
  }

  /** Calls `run` in the page, which uses nothing from outside. */
  async call<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return (await this.driver.call(String(run), args)) as Awaited<Result>;
  }

  async #look(target: Target, wanted: Parameters<typeof look>[1]): Promise<unknown> {
    await this.#loadAxe();
    return this.call(look, target, wanted);
  }

  async #loadAxe(): Promise<void> {
    const isThere = await this.call(() => "axe" in window);
    // Not by an element of the page, whose policy forbids it.
    if (!isThere) await this.driver.call(`() => { ${axe} }`, []);
  }

  /** How many of them are visible now. */
  count = async (target: Target) => Number(await this.#look(target, "count"));

  texts = async (target: Target) => (await this.#look(target, "texts")) as string[];

  async waitFor(target: Target, timeoutMs?: number): Promise<void> {
    await until(
      `visible: ${describe(target)}`,
      async () => ((await this.count(target)) > 0 ? true : undefined),
      timeoutMs,
    );
  }

  async waitUntilGone(target: Target, timeoutMs?: number): Promise<void> {
    await until(
      `gone: ${describe(target)}`,
      async () => ((await this.count(target)) === 0 ? true : undefined),
      timeoutMs,
    );
  }

  async waitForPath(isRight: (path: string) => boolean): Promise<string> {
    return until("another address", async () => {
      const path = await this.call(() => location.pathname + location.search);
      return isRight(path) ? path : undefined;
    });
  }

  /** Presses the only one, once it stays where it is and nothing covers it. */
  async click(target: Target, timeoutMs?: number): Promise<void> {
    let before = "";
    const { x, y } = await until(
      `can be pressed: ${describe(target)}`,
      async () => {
        const place = (await this.#look(target, "place")) as Place;
        const stays = place.box === before;
        before = place.box;
        return stays && place.isFree ? place : undefined;
      },
      timeoutMs,
    );
    await this.driver.click(x, y);
  }

  readValue = async (target: Target) => String(await this.#look(target, "value"));

  async focus(target: Target): Promise<void> {
    await until(`takes the focus: ${describe(target)}`, async () => {
      await this.#look(target, "focus");
      return true;
    });
  }

  /** Replaces what is in a field, by the keyboard. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.type(text);
    await until(`has "${text}": ${describe(target)}`, async () =>
      (await this.readValue(target)) === text ? true : undefined,
    );
  }

  /** Replaces what is in the focused field. */
  async type(text: string): Promise<void> {
    await this.driver.press(["a"], keys.control);
    await this.driver.press([...text]);
  }

  press = (...pressed: string[]) => this.driver.press(pressed);

  readFocus = async () => {
    await this.#loadAxe();
    return this.call(readFocus);
  };

  /**
   * Goes with Tab to the element called `target`, unless it has the focus. Each one on the way has a name, is visible, and
   * shows its focus. Between the page's end and its beginning may be the browser's own controls.
   */
  async walkTo(target: string): Promise<void> {
    const names: (string | null)[] = [];
    for (let before = await this.readFocus(); before?.name !== target; ) {
      if (names.length > 60) throw new Error(`Tab does not reach "${target}": ${names.join(", ")}`);
      await this.press(keys.tab);
      let focused = before;
      // What is scrolled to, or changes its look by degrees, is not there at once.
      await until("the focus is seen", async () => {
        focused = await this.readFocus();
        return focused === null || (focused.isVisible && focused.isMarked) ? true : undefined;
      }).catch((error: unknown) => {
        throw new Error(`After ${names.join(", ")}: ${JSON.stringify(focused)}`, { cause: error });
      });
      expect(focused?.name, `after ${names.join(", ")}`).not.toBe("");
      names.push(focused?.name ?? null);
      before = focused;
    }
  }

  /** Serious and critical violations that axe finds. */
  async findBarriers(): Promise<unknown[]> {
    await this.#loadAxe();
    return this.call(async () => {
      type Violation = { id: string; impact: string; nodes: { html: string }[] };
      const { axe } = window as unknown as {
        axe: { run(scope: object, options: object): Promise<{ violations: Violation[] }> };
      };
      const scope = { exclude: [["[data-ending-style]"], ["[data-base-ui-focus-guard]"]] };
      const { violations } = await axe.run(scope, { resultTypes: ["violations"] });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
    });
  }

  /** Calls a procedure of the server that changes something, as the page's user. */
  async callProcedure(procedure: string, input: object): Promise<unknown> {
    return this.call(
      async (path, body) => {
        const answer = await fetch(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
        if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
        return (await answer.json()).result.data;
      },
      `/trpc/${procedure}`,
      JSON.stringify(input),
    );
  }
}

const describe = (target: Target): string => JSON.stringify(target);
