import type { BrowserContext } from "@playwright/test";

/** How a program puts its translation in the place of a text. */
export type TranslationKind = "replaced" | "wrapped";

/**
 * Translates every page of `context` as browsers and extensions do: each text gets elements around it, or these take its
 * place, except where the page says that it is not to be translated.
 */
export async function translatePages(
  context: BrowserContext,
  kind: TranslationKind,
): Promise<void> {
  await context.addInitScript((way) => {
    const isLeft = (text: Text) =>
      text.data.trim() === "" ||
      text.parentElement === null ||
      text.parentElement.closest("[translate=no], font, script, style, textarea, svg, title") !==
        null;
    const translate = (text: Text) => {
      if (isLeft(text)) return;
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      outer.append(inner);
      text.replaceWith(outer);
      if (way === "wrapped") inner.append(text);
      else inner.textContent = text.data;
    };
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      if (root instanceof Text) texts.push(root);
      texts.forEach(translate);
    };
    const observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) translate(target);
        for (const node of addedNodes) translateAll(node);
      }
    });
    // Browsers begin once a page is loaded: after its first paint, when it accepts foreign nodes.
    const isReady = () => !String(Node.prototype.removeChild).includes("[native code]");
    const waiting = setInterval(() => {
      if (!isReady()) return;
      clearInterval(waiting);
      translateAll(document.body);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    }, 50);
  }, kind);
}
