// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { OtherTexts } from "#client/lecture/lecture-document.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { click, findButton, settle, show } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";

let session: ReturnType<typeof recordingWith>["session"];
let transcript: ReturnType<typeof recordingWith>["transcript"];

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  ({ session, transcript } = recordingWith(6));
  session.dropOther.mockImplementation((position, field) => {
    const { [field]: _, ...other } = transcript.row(position)?.other ?? {};
    transcript.change(`${position}`, {
      other: Object.keys(other).length > 0 ? other : undefined,
    });
  });
  await show(<Surface lecture={session} />);
  await waitForRows();
});

const offers = () =>
  [...document.querySelectorAll<HTMLElement>("[data-row] [role=status]")].map(
    ({ textContent }) => textContent,
  );
async function offer(position: number, other: OtherTexts) {
  await act(async () => transcript.change(`${position}`, { other }));
  await settle(() => expect(offers()).toHaveLength(Object.keys(other).length));
}

it("offers what another person has written below the row's own texts, in its language", async () => {
  const before = findRow(2)?.outerHTML;
  await offer(3, { original: "Hers.", translated: "她的。" });
  expect(offers()).toEqual(["Changed elsewhere: “Hers.”", "Changed elsewhere: “她的。”"]);
  expect(findRow(3)?.textContent).toContain("第3句。Changed elsewhere");
  const languages = [...document.querySelectorAll<HTMLElement>("[role=status] [lang]")];
  expect(languages.map(({ lang }) => lang)).toEqual(["en", "zh-Hans"]);
  expect(findRow(2)?.outerHTML).toBe(before);
  await act(() => showLanguage("zh"));
  expect(offers()).toEqual(["别处改为：“Hers.”", "别处改为：“她的。”"]);
  expect(findButton("采用")).toBeDefined();
  expect(findButton("保留我的")).toBeDefined();
  await act(() => showLanguage("en"));
});

it("corrects the row with it, and the row keeps the focus", async () => {
  await offer(3, { original: "Hers." });
  await click("Use this");
  expect(session.correctRow).toHaveBeenCalledExactlyOnceWith(3, { original: "Hers." });
  expect(document.activeElement).toBe(findRow(3));
  expect(offers()).toEqual([]);
});

it("drops one and still offers the other", async () => {
  await offer(3, { original: "Hers.", translated: "她的。" });
  await click("Keep mine");
  expect(session.correctRow).not.toHaveBeenCalled();
  expect(offers()).toEqual(["Changed elsewhere: “她的。”"]);
  await click("Use this");
  expect(session.correctRow).toHaveBeenCalledExactlyOnceWith(3, { translated: "她的。" });
});

it("is reached by the keyboard", async () => {
  await offer(3, { original: "Hers." });
  const buttons = [findButton("Use this"), findButton("Keep mine")];
  expect(buttons.map((button) => button?.tabIndex)).toEqual([0, 0]);
});

it("offers nothing that the row says itself", async () => {
  await offer(3, { original: "Hers." });
  await act(async () => transcript.change("3", { original: "Hers." }));
  expect(offers()).toEqual([]);
});
