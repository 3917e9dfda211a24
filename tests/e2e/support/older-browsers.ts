/** Functions and interfaces that some browser from Safari 16.4, Firefox 115 or Chrome 109 on lacks, or lacked once. */
export const missingNames = [
  "AbortSignal.any",
  "AbortSignal.timeout",
  "Array.fromAsync",
  "Array.prototype.findLast",
  "Array.prototype.findLastIndex",
  "Array.prototype.toReversed",
  "Array.prototype.toSorted",
  "Array.prototype.toSpliced",
  "Array.prototype.with",
  "ArrayBuffer.prototype.transfer",
  "CSS.highlights",
  "HTMLElement.prototype.showPopover",
  "Int32Array.prototype.with",
  "Intl.Segmenter",
  "Iterator",
  "Map.groupBy",
  "Map.prototype.getOrInsertComputed",
  "Navigator.prototype.locks",
  "Navigator.prototype.wakeLock",
  "Object.groupBy",
  "Promise.try",
  "Promise.withResolvers",
  "Set.prototype.difference",
  "Set.prototype.intersection",
  "Set.prototype.isDisjointFrom",
  "Set.prototype.isSubsetOf",
  "Set.prototype.isSupersetOf",
  "Set.prototype.symmetricDifference",
  "Set.prototype.union",
  "String.prototype.isWellFormed",
  "String.prototype.toWellFormed",
  "URL.canParse",
  "URL.parse",
  "Uint8Array.fromBase64",
  "Uint8Array.prototype.toBase64",
  "Uint8Array.prototype.toHex",
  "onscrollend",
  "requestIdleCallback",
  "scheduler",
  "structuredClone",
];

/** Deletes `names` in a page or a worker. Runs in the browser, so it uses nothing from outside. */
export function deleteNames(names: readonly string[]): void {
  const helpers = Object.getPrototypeOf(Object.getPrototypeOf([].values()));
  for (const key of Object.getOwnPropertyNames(helpers))
    if (key !== "constructor") Reflect.deleteProperty(helpers, key);
  for (const name of names) {
    const path = name.split(".");
    const key = path.pop() ?? "";
    let owner: unknown = globalThis;
    for (const part of path) owner = Object(owner)[part];
    // A worker has no elements.
    if (owner !== undefined) Reflect.deleteProperty(Object(owner), key);
  }
}
