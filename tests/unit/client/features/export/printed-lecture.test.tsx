// @vitest-environment happy-dom
import { beforeAll, expect, it } from "vitest";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { PrintedLecture } from "#client/features/export/print/printed-lecture.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { createLecture } from "./sample-lectures.ts";

beforeAll(() => Promise.all([showLanguage("en"), fileMessages.load()]));

it("prints the mark of the demo voice whatever else is left out", async () => {
  const off = { times: false, speakers: false, summary: false, marks: false, terms: true };
  const options = { lecture: "a", sides: "original", layout: "columns", ...off } as const;
  const print = async (hasDemoText: boolean) => {
    const lecture = createLecture([{ original: "One." }], { hasDemoText });
    await show(<PrintedLecture lecture={toExportedLecture(lecture, "")} options={options} />);
    return document.querySelector("[role=note]")?.textContent;
  };
  expect(await print(true)).toBe("Demo: contains text of the sample lecture, not what was said.");
  expect(await print(false)).toBeUndefined();
});
