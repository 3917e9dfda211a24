import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeLink } from "#build/link-preview.ts";

it.each([
  ["index.html", "Every lecture, in two languages. 每一堂课，两种语言。"],
  ["live.html", "A lecture that somebody shares with you. 有人与你共享了一节课。"],
])("%s has a title, a text and a picture for programs that show links", (file, description) => {
  const tags = describeLink(readFileSync(file, "utf8"), "https://dualect.example.org");
  expect(Object.fromEntries(tags.map(({ attrs }) => [attrs?.property, attrs?.content]))).toEqual({
    "og:type": "website",
    "og:title": "Dualect 课译",
    "og:description": description,
    "og:image": "https://dualect.example.org/icon-512.png",
  });
});
