// @vitest-environment happy-dom
import { act, Suspense } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";

vi.mock("#client/lib/new-version.ts", () => ({ checkVersion: async () => {} }));
const toasts = vi.hoisted(() => vi.fn());
vi.mock("#client/lib/notifications.ts", () => ({ toastFailure: toasts }));

beforeAll(() => showLanguage("en"));

/** Until everything that follows without time has happened: far more turns than one fetch needs. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await act(async () => {});
}

function createPart() {
  const network = { isThere: false };
  const load = vi.fn(async () => {
    if (!network.isThere) throw new TypeError("Failed to fetch");
    return { default: () => <p>the part</p> };
  });
  const messages = { load: async () => {} } as unknown as Parameters<typeof lazyPart>[1];
  return { network, load, Part: lazyPart(load, messages) };
}

it("is fetched once without a network, and again when there is one", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const { network, load, Part } = createPart();
  const page = (isOpen: boolean) => (
    <>
      <p>the page</p>
      <Suspense>{isOpen ? <Part /> : null}</Suspense>
    </>
  );
  await show(page(true));
  await settle();
  expect(load).toHaveBeenCalledOnce();
  expect(toasts).toHaveBeenCalledOnce();
  expect(document.body.textContent).toBe("the page");
  await act(async () => void dispatchEvent(new Event("online")));
  await settle();
  expect(load).toHaveBeenCalledTimes(2);
  network.isThere = true;
  await act(async () => void dispatchEvent(new Event("online")));
  await settle();
  expect(load).toHaveBeenCalledTimes(3);
  expect(document.body.textContent).toBe("the pagethe part");
});

it("is shown at once, without its fallback, where it was preloaded", async () => {
  const { network, load, Part } = createPart();
  network.isThere = true;
  await Part.preload();
  const shown: (string | null)[] = [];
  const observer = new MutationObserver(() => shown.push(document.body.textContent));
  observer.observe(document.body, { childList: true, subtree: true });
  await show(<Part fallback="loading" />);
  await settle();
  expect(shown).not.toContain("loading");
  expect(document.body.textContent).toBe("the part");
  expect(load).toHaveBeenCalledOnce();
  // A network that is back does not mount it again.
  const paragraph = document.querySelector("p");
  await act(async () => void dispatchEvent(new Event("online")));
  expect(document.querySelector("p")).toBe(paragraph);
});

it("is fetched again when it is opened once more", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const { network, load, Part } = createPart();
  await show(
    <Suspense>
      <Part />
    </Suspense>,
  );
  await settle();
  network.isThere = true;
  await show(<Suspense />);
  await show(
    <Suspense>
      <Part />
    </Suspense>,
  );
  await settle();
  expect(load).toHaveBeenCalledTimes(2);
  expect(document.body.textContent).toBe("the part");
});
