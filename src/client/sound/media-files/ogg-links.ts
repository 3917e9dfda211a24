import { oggPageMaxBytes } from "#shared/ogg-opus.ts";

/** Bytes of the file that are read at a time. */
const blockBytes = 1024 * 1024;
/** A page's header without its table of segments. */
const headerBytes = 27;
const isFirstPage = 0x02;

/**
 * The links of a chained Ogg file: recordings that were joined, each with headers of its own (RFC 3533, 4). Any other file
 * is returned as it is. What is not Ogg between two pages belongs to the link before.
 */
export async function splitOggLinks(file: Blob): Promise<readonly Blob[]> {
  const starts: number[] = [];
  let wasFirst = false;
  for await (const { at, flags } of readPageHeaders(file)) {
    const isFirst = (flags & isFirstPage) !== 0;
    // A link with several streams begins with a first page of each.
    if (isFirst && !wasFirst) starts.push(at);
    wasFirst = isFirst;
  }
  if (starts.length < 2) return [file];
  return starts.map((start, index) => file.slice(start, starts[index + 1] ?? file.size));
}

async function* readPageHeaders(file: Blob): AsyncIterable<{ at: number; flags: number }> {
  let blockAt = 0;
  let block = new Uint8Array();
  for (let at = 0; at + headerBytes <= file.size; ) {
    if (at + oggPageMaxBytes > blockAt + block.length && blockAt + block.length < file.size) {
      blockAt = at;
      block = new Uint8Array(await file.slice(at, at + blockBytes).arrayBuffer());
    }
    const page = block.subarray(at - blockAt);
    if (!isPage(page)) {
      // Only a file that begins as Ogg is one.
      if (at === 0) return;
      const next = page.findIndex(
        (byte, index) => index > 0 && byte === 0x4f && isPage(page.subarray(index)),
      );
      at += next > 0 ? next : Math.max(1, page.length - headerBytes + 1);
      continue;
    }
    yield { at, flags: page[5] ?? 0 };
    const segments = page[26] ?? 0;
    const table = page.subarray(headerBytes, headerBytes + segments);
    at += headerBytes + segments + table.reduce((sum, size) => sum + size, 0);
  }
}

/** The capture pattern, and the only version. */
const isPage = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x4f &&
  bytes[1] === 0x67 &&
  bytes[2] === 0x67 &&
  bytes[3] === 0x53 &&
  bytes[4] === 0;
