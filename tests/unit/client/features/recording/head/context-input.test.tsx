// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { ContextInput } from "#client/features/recording/head/context-input.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { press, show, type } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));

const field = () => document.querySelector("input");

it("shows typed text at once, keeps it while the session lags, and ignores Enter", async () => {
  const { session } = recordingWith(0);
  await show(
    <form onSubmit={() => expect.unreachable("Enter was taken")}>
      <ContextInput document={session} />
    </form>,
  );
  await type(field(), "Entropy");
  expect(session.setContext.mock.calls).toEqual([["Entropy"]]);
  expect(field()?.value).toBe("Entropy");
  field()?.focus();
  let prevented = false;
  document.addEventListener("keydown", (event) => (prevented = event.defaultPrevented), {
    once: true,
  });
  await press("Enter");
  expect(prevented).toBe(true);
  await act(async () => session.view.set({ ...session.view.get(), context: "Entropy, Boltzmann" }));
  await act(async () => field()?.blur());
  expect(field()?.value).toBe("Entropy, Boltzmann");
});

it("keeps typed text when its lecture is created, and not for another one that is shown", async () => {
  const [{ session }, { session: other }] = [recordingWith(0), recordingWith(0)];
  session.view.set({ ...session.view.get(), lecture: null });
  await show(<ContextInput document={session} />);
  await type(field(), "Entropy");
  await act(async () => session.view.set({ ...session.view.get(), lecture: createLectureInfo() }));
  expect(field()?.value).toBe("Entropy");
  const lecture = createLectureInfo({ id: "two" });
  other.view.set({ ...other.view.get(), lecture, context: "Mitosis" });
  await show(<ContextInput document={other} />);
  expect(field()?.value).toBe("Mitosis");
});

it("shows that a context is being generated", async () => {
  const { session } = recordingWith(0);
  await show(<ContextInput document={session} />);
  await act(async () => session.view.set({ ...session.view.get(), contextState: "generating" }));
  expect(field()?.placeholder).toBe("Generating context…");
  expect(document.querySelector("[role=status]")?.textContent).toBe("Generating context…");
});

it("cannot be changed while its lecture is being left", async () => {
  const { session } = recordingWith(0);
  await show(<ContextInput document={session} />);
  expect(field()?.readOnly).toBe(false);
  await act(async () => session.view.set({ ...session.view.get(), busy: "loading" }));
  expect(field()?.readOnly).toBe(true);
});
