import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToastMessage } from "#client/lib/notifications.ts";
import { ToastQueue } from "#client/ui/toast-queue.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const fullMs = 4_000;

/** A queue on a page that closes each toast after its full time, and what the page shows. */
function openQueue() {
  const clock = new ManualClock();
  const page = { shown: null as string | null, seen: [] as string[], held: false };
  let cancel = () => {};
  const close = () => {
    cancel();
    page.shown = null;
    queue.handleClosed();
  };
  const queue = new ToastQueue(clock, {
    show({ title }) {
      expect(page.shown === null || page.shown === title).toBe(true);
      cancel();
      page.shown = title;
      page.seen.push(title);
      cancel = clock.after(fullMs, close);
    },
    close,
    isHeld: () => page.held,
  });
  return { clock, page, queue, close };
}

const info = (title: string, more: Partial<ToastMessage> = {}): ToastMessage => ({
  kind: "info",
  title,
  ...more,
});
const failure = (title: string, more: Partial<ToastMessage> = {}) =>
  info(title, { kind: "failure", ...more });
const withButton = (title: string) => info(title, { action: { label: "Undo", run: () => {} } });

describe("ToastQueue", () => {
  it("shows the next toast once the one before was there for 2 s", async () => {
    const { clock, page, queue } = openQueue();
    for (const title of ["One", "Two", "Three"]) queue.add(info(title));
    expect(page.shown).toBe("One");
    await clock.advance(1_999);
    expect(page.shown).toBe("One");
    await clock.advance(1);
    expect(page.shown).toBe("Two");
    await clock.advance(2_000);
    expect(page.shown).toBe("Three");
    await clock.advance(fullMs);
    expect(page.shown).toBeNull();
  });

  it("shows a failure at once, for its full time, and before what waits", async () => {
    const { clock, page, queue } = openQueue();
    queue.add(info("One"));
    queue.add(info("Two"));
    queue.add(failure("Failed"));
    expect(page.shown).toBe("Failed");
    queue.add(failure("Failed too"));
    await clock.advance(fullMs - 1);
    expect(page.shown).toBe("Failed");
    await clock.advance(1);
    expect(page.shown).toBe("Failed too");
    await clock.advance(fullMs);
    expect(page.shown).toBe("Two");
  });

  it("shows a toast with a button before one without, for its full time", async () => {
    const { clock, page, queue } = openQueue();
    queue.add(withButton("Deleted"));
    queue.add(info("Saved"));
    await clock.advance(3_000);
    expect(page.shown).toBe("Deleted");
    queue.add(withButton("Moved"));
    expect(page.shown).toBe("Moved");
    await clock.advance(fullMs - 1);
    expect(page.shown).toBe("Moved");
    await clock.advance(1);
    expect(page.shown).toBe("Saved");
  });

  it("closes a toast whose state is over, also while it waits", async () => {
    const { clock, page, queue } = openQueue();
    const state = "recording";
    queue.add(info("Recording Started", { state }));
    queue.add(info("Finalizing", { state }));
    expect(page.shown).toBe("Finalizing");
    queue.add(failure("Failed"));
    queue.add(info("Recording Paused", { state }));
    queue.add(info("Recording Resumed", { state }));
    await clock.advance(fullMs);
    expect(page.seen).toEqual(["Recording Started", "Finalizing", "Failed", "Recording Resumed"]);
  });

  it("withdraws what is told of a state, also while it waits, and nothing else", async () => {
    const { clock, page, queue } = openQueue();
    const state = "form";
    queue.add(failure("Validation Error", { state }));
    queue.add(info("Saved"));
    queue.withdraw(state);
    expect(page.shown).toBe("Saved");
    queue.add(failure("Failed"));
    queue.add(failure("Validation Error", { state }));
    queue.withdraw(state);
    expect(page.shown).toBe("Failed");
    await clock.advance(2 * fullMs);
    expect(page.seen).toEqual(["Validation Error", "Saved", "Failed"]);
  });

  it("gives a text that is shown its time anew, and shows one that waits once", async () => {
    const { clock, page, queue } = openQueue();
    queue.add(failure("Failed"));
    await clock.advance(3_000);
    queue.add(failure("Failed"));
    queue.add(info("Saved"));
    queue.add(info("Saved"));
    await clock.advance(3_000);
    expect(page.shown).toBe("Failed");
    await clock.advance(1_000);
    expect(page.seen).toEqual(["Failed", "Failed", "Saved"]);
  });

  it("leaves a toast that the person holds until it closes by itself", async () => {
    const { clock, page, queue } = openQueue();
    queue.add(info("One"));
    queue.add(info("Two"));
    page.held = true;
    await clock.advance(3_000);
    expect(page.shown).toBe("One");
    await clock.advance(1_000);
    expect(page.shown).toBe("Two");
  });

  it("loses no toast, whatever comes when, and shows each failure for its full time", async () => {
    const message = fc.record({ kind: fc.constantFrom(...kinds), action: fc.boolean() });
    const step = fc.oneof(message, fc.integer({ min: 0, max: 6_000 }), fc.constant("close"));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { clock, page, queue, close } = openQueue();
        const added: string[] = [];
        for (const one of steps) {
          if (typeof one === "number") await clock.advance(one);
          else if (one === "close") {
            if (page.shown !== null) close();
          } else {
            const title = `${one.kind} ${added.length}`;
            added.push(title);
            queue.add({ ...(one.action ? withButton(title) : info(title)), kind: one.kind });
            if (one.kind === "failure") expect(page.shown).toMatch(/^failure/);
          }
        }
        await clock.advance(fullMs * (added.length + 1));
        expect(page.seen.toSorted()).toEqual(added.toSorted());
        expect(clock.timers).toBe(0);
      }),
      { numRuns: countRuns(200) },
    );
  });
});

const kinds = ["success", "info", "failure"] as const;
