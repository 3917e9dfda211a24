import { expect, it } from "vitest";
import { decodeTable, decodeText } from "#client/lib/decode-text.ts";

/** `细胞,cell` and a line break in GB18030. */
const gb18030 = new Uint8Array([0xcf, 0xb8, 0xb0, 0xfb, 0x2c, 0x63, 0x65, 0x6c, 0x6c, 0x0d, 0x0a]);

it("reads a table in UTF-8, with or without a byte order mark", () => {
  const text = "细胞,cell\r\n";
  expect(decodeTable(new TextEncoder().encode(text))).toBe("细胞,cell\n");
  expect(decodeTable(new TextEncoder().encode(`\uFEFF${text}`))).toBe("细胞,cell\n");
});

it("reads a table in GB18030, but not other texts", () => {
  expect(decodeTable(gb18030)).toBe("细胞,cell\n");
  expect(decodeText(gb18030)).toBeNull();
});

it("does not take Western text for Chinese", () => {
  const latin1 = new Uint8Array([..."M\u00fcller,Gr\u00f6\u00dfe"].map((one) => one.charCodeAt(0)));
  expect(decodeTable(latin1)).toBeNull();
});
