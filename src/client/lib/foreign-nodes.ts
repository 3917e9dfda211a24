/**
 * Lets the page live with nodes that are not its own. A browser that translates a page, and some extensions, put each
 * text into elements of theirs, or these in its place. React keeps the nodes that it has created: removing such a text,
 * or inserting before it, would throw and end the page, and a new value would be written where nobody sees it.
 *
 * React has this as an open issue: https://github.com/facebook/react/issues/11538
 */
export function acceptForeignNodes(): void {
  new MutationObserver(noteReplacedTexts).observe(document.body, {
    childList: true,
    subtree: true,
  });
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = findPlace(this, child);
    if (place !== null) removeChild.call(this, place);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    child: T,
    before: Node | null,
  ): T {
    insertBefore.call(this, child, before && findPlace(this, before));
    return child;
  };
  const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Object.defineProperty(Node.prototype, "nodeValue", {
    ...nodeValue,
    set(this: Node, value: string | null) {
      nodeValue?.set?.call(this, value);
      const standIn = standIns.get(this);
      if (this.isConnected || !standIn?.isConnected) return;
      standIn.replaceWith(this as Text);
    },
  });
}

/** What stands in the place of a text that is no longer in the page. */
const standIns = new WeakMap<Node, Element>();

/** The child of `parent` that is `node`, has it in it, or stands in its place. Null where there is none. */
function findPlace(parent: Node, node: Node): Node | null {
  let place: Node | null = node.isConnected ? node : (standIns.get(node) ?? node);
  while (place !== null && place.parentNode !== parent) place = place.parentNode;
  return place;
}

/** A text's place is taken by a new element that stood beside it when it was removed, and by no other one's. */
function noteReplacedTexts(records: readonly MutationRecord[]): void {
  const free = new Set<Node | null>(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      if (!(node instanceof Text) || node.isConnected) continue;
      const standIn = [...addedNodes, previousSibling, nextSibling].find(
        (other) => other instanceof Element && free.delete(other),
      );
      if (standIn) standIns.set(node, standIn as Element);
    }
}
