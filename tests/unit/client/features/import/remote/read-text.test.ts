// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { nameFile } from "#client/features/import/remote/media-address.ts";
import { readRemoteText } from "#client/features/import/remote/read-text.ts";

const base = "https://example.org/shows/optics/";
const read = (text: string, charset = "") =>
  readRemoteText(new TextEncoder().encode(text), { charset, base });

const episode = (n: number, more = "") => `<item>
  <title>Week ${n} &amp; more</title>
  <pubDate>Mon, 0${n} Nov 2026 08:00:00 GMT</pubDate>
  <enclosure url="/audio/${n}.mp3?x=1&amp;y=2" length="${n}0000000" type="audio/mpeg"/>
  <itunes:duration>1:02:0${n}</itunes:duration>${more}</item>`;
const rss = (items: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Optics</title>${items}</channel></rss>`;

describe("a feed", () => {
  it("has its episodes with files, the newest first", () => {
    const found = read(
      rss(`${episode(1)}${episode(3)}<item><title>News</title></item>${episode(2)}`),
    );
    expect(found).toMatchObject({ kind: "feed", title: "Optics", isCut: false });
    expect(found?.choices.map(({ title }) => title)).toEqual(
      [3, 2, 1].map((n) => `Week ${n} & more`),
    );
    expect(found?.choices[0]).toEqual({
      kind: "file",
      address: "https://example.org/audio/3.mp3?x=1&y=2",
      title: "Week 3 & more",
      publishedAt: "2026-11-03T08:00:00.000Z",
      seconds: 3_723,
      bytes: 30_000_000,
    });
  });

  it("may be Atom's", () => {
    const found = read(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Talks</title>
      <entry><title>One</title><updated>2026-11-01T00:00:00Z</updated><link rel="alternate" href="https://example.org/1"/>
      <link rel="enclosure" type="video/mp4" length="123456" href="https://cdn.example.org/1.mp4"/></entry></feed>`);
    expect(found).toMatchObject({
      kind: "feed",
      title: "Talks",
      choices: [{ title: "One", address: "https://cdn.example.org/1.mp4", bytes: 123_456 }],
    });
  });

  it("is read up to where it was cut", () => {
    const text = rss(episode(1) + episode(2) + episode(3));
    const found = read(text.slice(0, text.lastIndexOf("<enclosure") + 20));
    expect(found?.choices.map(({ title }) => title)).toEqual(["Week 2 & more", "Week 1 & more"]);
  });

  it("has a hundred of its episodes at most", () => {
    const items = Array.from(
      { length: 130 },
      (_, n) => `<item><enclosure url="/${n}.mp3"/></item>`,
    );
    const found = read(rss(items.join("")));
    expect(found?.choices).toHaveLength(100);
    expect(found?.isCut).toBe(true);
  });

  it.each([
    ["entities of its own", `<!DOCTYPE rss [<!ENTITY a "ha">]>${rss(episode(1))}`],
    ["nothing of a feed", "<opml/>"],
    ["no markup", "hello"],
  ])("is none with %s", (_, text) => {
    expect(read(text)).toBeNull();
  });

  it.each([
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:audio/wav,x",
    "blob:https://a/b",
    "//",
  ])("leads to no %s", (address) => {
    const item = `<item><enclosure url="${address}" type="audio/mpeg"/></item>`;
    expect(read(rss(item))?.choices).toEqual([]);
  });
});

describe("a page", () => {
  const page = (head: string, body = "") =>
    `<!doctype html><html><head><title>Lecture 4</title>${head}</head><body>${body}</body></html>`;
  const list = (text: string) => read(text)?.choices.map(({ address }) => address);

  it.each([
    [
      "Open Graph",
      page(`<meta property="og:audio" content="https://cdn.example.org/4.mp3">`),
      ["https://cdn.example.org/4.mp3"],
    ],
    ["an element", page("", `<audio src="4.ogg"></audio>`), [`${base}4.ogg`]],
    [
      "an element with several sources, of which one is a list of pieces",
      page(
        "",
        `<video><source src="4.m3u8"><source src="4.webm" type="video/webm"><source src="4.mp4"></video>`,
      ),
      [`${base}4.webm`],
    ],
    [
      "an element whose address has no ending",
      page("", `<audio src="/stream?id=4"></audio>`),
      ["https://example.org/stream?id=4"],
    ],
    [
      "its own base",
      page(`<base href="https://cdn.example.org/x/">`, `<audio src="4.ogg"></audio>`),
      ["https://cdn.example.org/x/4.ogg"],
    ],
    [
      "data for search engines",
      page(
        `<script type="application/ld+json">{"@graph":[{"@type":["Thing","AudioObject"],"name":"A","contentUrl":"https://cdn.example.org/4"}]}</script>`,
      ),
      ["https://cdn.example.org/4"],
    ],
    [
      "links alone",
      page("", `<a href="slides.pdf">Slides</a> <a href="4.MP3">Listen</a>`),
      [`${base}4.MP3`],
    ],
    [
      "a feed",
      page(
        `<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" hreflang="de" href="/de">`,
      ),
      ["https://example.org/feed"],
    ],
    [
      "the same file twice",
      page(`<meta property="og:audio" content="${base}4.mp3">`, `<audio src="4.mp3"></audio>`),
      [`${base}4.mp3`],
    ],
    [
      "only another site's player",
      page(
        `<meta property="og:video" content="https://video.example.com/embed/4"><meta property="og:video:type" content="text/html">`,
      ),
      [],
    ],
    [
      "a player's page without a type",
      page(`<meta property="og:video" content="https://video.example.com/embed/4">`),
      [],
    ],
    [
      "only what the page's script has",
      page("", `<video src="blob:https://example.org/1"></video>`),
      [],
    ],
    ["data that is none", page(`<script type="application/ld+json">{"@type":</script>`), []],
    [
      "data nested without end",
      page(
        `<script type="application/ld+json">${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}</script>`,
      ),
      [],
    ],
  ])("may declare its recording by %s", (_, text, addresses) => {
    expect(list(text)).toEqual(addresses);
  });

  it("runs and fetches nothing of itself", () => {
    const text = page(
      "",
      `<img src="x" onerror="globalThis.hasRun = true"><script>globalThis.hasRun = true</script>`,
    );
    expect(read(text)?.title).toBe("Lecture 4");
    expect(Reflect.get(globalThis, "hasRun")).toBeUndefined();
  });

  it("is decoded as it says", () => {
    const bytes = Uint8Array.from([
      ...new TextEncoder().encode('<!doctype html><meta charset="gbk"><title>'),
      ...[0xb9, 0xe2, 0xd1, 0xa7],
    ]);
    expect(readRemoteText(bytes, { charset: "", base })?.title).toBe("光学");
    expect(readRemoteText(bytes, { charset: "none-such", base })?.title).not.toBe("光学");
  });
});

describe("a file's name", () => {
  const file = { kind: "media", charset: "", size: 1, from: 0, validator: null } as const;
  it.each([
    [
      "Dr. Smith on light",
      { type: "audio/mpeg", name: "", address: "https://a.org/x/1.mp3?t=1" },
      "Dr. Smith on light.mp3",
    ],
    ["", { type: "audio/mpeg", name: "", address: "https://a.org/x/Woche%203.mp3" }, "Woche 3.mp3"],
    ["", { type: "audio/x-m4a", name: "", address: "https://a.org/play?id=1" }, "play.m4a"],
    ["", { type: "video/mp4", name: "talk.mp4", address: "https://a.org/" }, "talk.mp4"],
    ["", { type: "audio/x-new", name: "", address: "https://a.org/" }, "a.org.media"],
  ])("is the title %j or the address's, with an ending", (title, facts, name) => {
    expect(nameFile(title, { ...file, ...facts })).toBe(name);
  });
});
