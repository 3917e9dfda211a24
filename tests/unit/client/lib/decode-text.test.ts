import { describe, expect, it } from "vitest";
import { decodeText } from "#client/lib/decode-text.ts";
import { textEncodings } from "#client/lib/text-encodings.ts";
import { encodeText, encodeUtf16 } from "#tests/fixtures/encode-text.ts";

const read = async (bytes: Uint8Array) => (await decodeText(bytes))?.text;
const toSubtitles = (text: string) => `1\r\n00:00:01,000 --> 00:00:04,000\r\n${text}\r\n`;

it("reads UTF-8, with or without a byte order mark, and leaves no doubt", async () => {
  const text = "细胞,cell\r\n";
  const expected = { text: "细胞,cell\n", encoding: "utf-8", others: [], isUnsure: false };
  expect(await decodeText(new TextEncoder().encode(text))).toEqual(expected);
  expect(await decodeText(new TextEncoder().encode(`\uFEFF${text}`))).toEqual(expected);
});

describe("a text that is not Unicode", () => {
  it.each([
    ["gb18030", "第一讲 熵与信息，我们今天讨论热力学第二定律"],
    ["gb18030", "这节课讲机器学习的基础。"],
    ["big5", "今天我們討論熱力學第二定律"],
    ["big5", "這堂課介紹電路與訊號。"],
    ["shift_jis", "第一回 エントロピーと情報"],
    ["shift_jis", "細胞膜はリン脂質からできています。"],
    ["euc-jp", "細胞膜はリン脂質からできています。"],
    ["euc-kr", "첫 번째 강의: 회로와 정보"],
    ["euc-kr", "오늘은 열역학 제이 법칙을 배웁니다."],
    ["windows-1252", "Die Übertragung der Größe ändert sich für später."],
    ["windows-1252", "Les équations différentielles sont présentées à côté."],
    ["windows-1252", "¿Qué es la información? Hoy lo verán mañana también."],
    ["windows-1250", "Dziś omówimy drugą zasadę termodynamiki, część pierwszą."],
    ["windows-1250", "Příští přednáška začíná v úterý."],
    ["windows-1251", "Сегодня мы говорим об энтропии."],
    ["windows-1251", "Схема и її елементи."],
    ["koi8-r", "Сегодня мы говорим об энтропии."],
    ["ibm866", "Сегодня мы говорим об энтропии."],
    ["windows-1253", "Η εντροπία είναι ένα μέτρο."],
    ["windows-1254", "Bugün ısı ve entropi üzerine konuşacağız, değişim."],
    ["windows-1255", "האנטרופיה היא מדד לאי סדר"],
    ["windows-1256", "الديناميكا الحرارية والإنتروبيا"],
    ["windows-1257", "Šodien mēs runājam par entropiju."],
    ["windows-874", "เอนโทรปีคือการวัดความไม่เป็นระเบียบ"],
  ] as const)("is read by its bytes and its language: %s, %s", async (encoding, text) => {
    expect(await read(encodeText(text, encoding))).toBe(text);
    const subtitles = toSubtitles(text);
    expect(await read(encodeText(subtitles, encoding))).toBe(subtitles.replaceAll("\r\n", "\n"));
  });

  it.each([true, false])(
    "is read in UTF-16 without a mark, little-endian: %s",
    async (isLittle) => {
      for (const text of ["第一讲 熵与信息", "Die Größe ändert sich.", "схема"])
        expect(await read(encodeUtf16(toSubtitles(text), isLittle))).toContain(text);
    },
  );

  it.each([
    ["gb18030", "细胞,cell\n"],
    ["big5", "迴路,circuit\n資訊,information\n"],
    ["shift_jis", "細胞,cell\n回路,circuit\n"],
    ["euc-kr", "세포,cell\n"],
    ["windows-1252", "Gün,day\n"],
  ] as const)("offers every likely encoding of a few words: %s, %s", async (encoding, text) => {
    const bytes = encodeText(text, encoding);
    const decoded = await decodeText(bytes);
    expect(decoded?.isUnsure || decoded?.text === text).toBe(true);
    const all = decoded ? [decoded.encoding, ...decoded.others] : [];
    expect(
      await Promise.all(all.map(async (one) => (await decodeText(bytes, one))?.text)),
    ).toContain(text);
  });

  it("is read in the encoding that a person has chosen", async () => {
    const bytes = encodeText("схема;circuit\n", "windows-1251");
    expect(await decodeText(bytes, "koi8-r")).toMatchObject({
      encoding: "koi8-r",
      isUnsure: false,
    });
    expect((await decodeText(bytes, "koi8-r"))?.others).toContain("windows-1251");
  });

  it("is recognised behind much plain English", async () => {
    const text = `${"A plain English line of some talk.\n".repeat(12_000)}Сегодня мы говорим об энтропии.\n`;
    expect(await read(encodeText(text, "windows-1251"))).toBe(text);
  });
});

it.each([
  ["zeros", new Uint8Array([0x61, 0, 0x62])],
  [
    "a picture",
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff]),
  ],
  ["UTF-16 that is cut off", new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62])],
])("does not read %s as a text", async (_, bytes) => {
  expect(await decodeText(bytes)).toBeNull();
});

it("names only encodings that a browser reads", () => {
  for (const encoding of textEncodings) expect(new TextDecoder(encoding).encoding).toBe(encoding);
});
