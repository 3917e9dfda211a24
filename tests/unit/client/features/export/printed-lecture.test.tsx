// @vitest-environment happy-dom
import { beforeAll, expect, it } from "vitest";
import { toExportedLecture } from "#client/features/export/exported-lecture.ts";
import { PrintedLecture } from "#client/features/export/print/printed-lecture.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { printMessages } from "#client/i18n/print/index.ts";
import { formatDay, formatMoment } from "#client/lib/dates.ts";
import { formatDateTitle } from "#client/state/library/list-texts.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { createExportedLecture, createLecture, rowIn, sentences } from "./sample-lectures.ts";

beforeAll(() => Promise.all([showLanguage("en"), printMessages.load()]));

const all = {
  times: true,
  speakers: true,
  summary: true,
  marks: true,
  slides: true,
  terms: true,
} as const;

it("prints the mark of the demo voice whatever else is left out", async () => {
  const off = {
    times: false,
    speakers: false,
    summary: false,
    marks: false,
    slides: false,
    terms: true,
  };
  const options = { lecture: "a", sides: "original", layout: "columns", ...off } as const;
  const print = async (hasDemoText: boolean) => {
    const lecture = createLecture([{ original: "One." }], { hasDemoText });
    await show(<PrintedLecture lecture={toExportedLecture(lecture, "")} options={options} />);
    return document.querySelector("[role=note]")?.textContent;
  };
  expect(await print(true)).toBe("Demo: contains text of the sample lecture, not what was said.");
  expect(await print(false)).toBeUndefined();
});

it("prints the date and time of each lecture once, also where the name begins with the date", async () => {
  const options = { lecture: "a", sides: "both", layout: "columns", ...all } as const;
  const print = async (title: string) => {
    const lecture = createExportedLecture([rowIn("zh-cn", 0)], { title });
    await show(<PrintedLecture lecture={lecture} options={options} />);
    const moment = formatMoment(lecture.createdAt, "en");
    return document.querySelector("article")?.textContent.includes(moment);
  };
  const { createdAt } = createExportedLecture([rowIn("zh-cn", 0)]);
  expect(await print("Machine Learning")).toBe(true);
  expect(await print(`${formatDay(createdAt, "en")} Machine Learning`)).toBe(true);
  expect(await print(formatDateTitle(createdAt, "en"))).toBe(false);
});

it("prints a table of the summary as a table", async () => {
  const summary = "Terms:\n\n| Term | Meaning |\n|---|---|\n| **heat** | 热 |";
  const lecture = createExportedLecture([rowIn("zh-cn", 0)], { summary });
  const options = { lecture: "a", sides: "both", layout: "columns", ...all } as const;
  await show(<PrintedLecture lecture={lecture} options={options} />);
  const [table] = document.querySelectorAll("table");
  const cells = [...(table?.querySelectorAll("th, td") ?? [])].map((cell) => cell.textContent);
  expect(cells).toEqual(["Term", "Meaning", "heat", "热"]);
  expect(table?.querySelector("td b")?.textContent).toBe("heat");
});

it("prints both texts of each script with times, speakers and summary, or what is chosen of it", async () => {
  const targets = ["zh-cn", "zh", "ja", "ko", "ar", "hi", "ru"] as const;
  const lecture = createExportedLecture(targets.map(rowIn), {
    summary: "# Points\n\n- **First** point",
  });
  const print = async (options: Partial<Parameters<typeof PrintedLecture>[0]["options"]>) => {
    const chosen = { lecture: "a", sides: "both", layout: "columns", ...all, ...options } as const;
    await show(<PrintedLecture lecture={lecture} options={chosen} />);
    return document.querySelector("article")?.textContent ?? "";
  };
  for (const layout of ["columns", "stacked"] as const) {
    const text = await print({ layout });
    expect(text).toMatch(/Machine Learning.*Summary.*Points.*First point.*Transcript/s);
    for (const [at, language] of targets.entries()) {
      expect(text).toContain(`This is the office sentence number ${at}.`);
      expect(text).toContain(sentences[language]);
    }
    for (const part of ["Ann", "S2", "0:00", "6:06"]) expect(text).toContain(part);
  }
  const off = { times: false, speakers: false, summary: false };
  const text = await print({ sides: "translation", ...off });
  expect(text).toContain(sentences.ko);
  for (const part of ["office", "Ann", "6:06", "Points", "Transcript"])
    expect(text).not.toContain(part);
});

it("prints slides at their sentences, or leaves them out", async () => {
  const slide = { id: "s", page: 2, width: 16, height: 9, caption: "Snell", picture: null };
  const lecture = createExportedLecture([{ ...rowIn("zh-cn", 0), slides: [slide] }]);
  const print = async (slides: boolean) => {
    const options = { lecture: "a", sides: "both", layout: "columns", ...all, slides } as const;
    await show(<PrintedLecture lecture={lecture} options={options} />);
    return document.querySelector("tr + tr img");
  };
  const picture = await print(true);
  expect(picture?.getAttribute("src")).toBe("/api/slides/s/full");
  expect(picture?.getAttribute("alt")).toBe("Slide 2: Snell");
  expect(await print(false)).toBeNull();
});
