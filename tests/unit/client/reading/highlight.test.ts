// @vitest-environment happy-dom
import { expect, it } from "vitest";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { findMatches } from "#client/reading/find-matches.ts";
import { createRange } from "#client/reading/highlight.ts";

it("marks a word in both texts of a row where the texts are the same", () => {
  const row = document.createElement("div");
  row.innerHTML =
    "<button>OK.</button><p lang=en><button>OK.</button>OK.</p><p lang=de>OK.</p><p>OK.</p>";
  const entry = { position: 0, original: "OK.", translated: "OK." } as TranscriptRow;
  const matches = findMatches([{ from: 0, rows: [entry] }], "ok", (one) => [
    one.original,
    one.translated,
  ]);
  const places = matches.map((match) => createRange(row, match)?.startContainer);
  const [original, german] = row.querySelectorAll("p");
  expect(places).toEqual([original?.lastChild, german?.lastChild]);
  expect(places[0]).not.toBe(places[1]);
  const [match] = matches;
  if (!match) throw new Error("no match");
  expect(createRange(row, { ...match, copy: 3 })).toBeNull();
});
