import type { Page } from "@playwright/test";

/** What may be pressed or typed in. Of a choice of one the labels are seen. */
const controls =
  "button, a[href], input, select, textarea, summary, label:has(> input[type=radio]), [role=slider], [role=tab], [role=switch]";

/** Not counted: sentences with what is in them, lectures, folders, citations, and toasts, which go by themselves. */
const content =
  "a[href='#content'], nav button[aria-current], [data-toasts], [data-row], [data-live-line], [role=treeitem], [role=option], [role=article], article, li";

/** The names of the visible controls, in the order of the document. */
export const listControls = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([selector, excluded]) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((one) => {
          const { width, height, bottom, right, top, left } = one.getBoundingClientRect();
          const isSeen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
          const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
          // What only screen readers read is 1 px wide.
          return isSeen && isInside && width > 1 && height > 1 && !one.closest(excluded);
        })
        .map((one) => one.getAttribute("aria-label") ?? one.textContent?.trim() ?? one.tagName),
    [controls, content] as const,
  );

/** The part of the window's height in which the lecture's text is: between the page's head, tabs, or a message, and its foot. */
export const measureTextShare = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bottoms = [
      ...document.querySelectorAll("[data-head], [data-message], [data-head] ~ [role=tablist]"),
    ].map((one) => one.getBoundingClientRect().bottom);
    const foot = document.querySelector(".recording-foot")?.getBoundingClientRect();
    return ((foot?.top ?? innerHeight) - Math.max(0, ...bottoms)) / innerHeight;
  });

/**
 * What is printed over something else, is cut by the window, or is covered: of the controls, and of the texts in the page's
 * head, foot and message. Also the state of saving, if it is shortened.
 */
export const findCollisions = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([selector, excluded]) => {
      const tolerancePx = 1;
      const found: string[] = [];
      const frame = [
        ...document.querySelectorAll<HTMLElement>("[data-head], [data-message], .recording-foot"),
      ];
      const isSeen = (one: Element) =>
        one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      const name = (one: Element) =>
        one.getAttribute("aria-label") ?? one.textContent?.trim() ?? one.tagName;

      for (const control of document.querySelectorAll<HTMLElement>(selector)) {
        const box = control.getBoundingClientRect();
        if (!isSeen(control) || box.width <= 1 || control.closest(excluded)) continue;
        if (!frame.some((part) => part.contains(control))) continue;
        if (box.left < 0 || box.right > innerWidth + tolerancePx)
          found.push(`cut by the window: ${name(control)}`);
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        if (top && !control.contains(top) && !top.contains(control))
          found.push(`covered: ${name(control)}`);
      }

      const texts: { text: string; box: DOMRect }[] = [];
      for (const part of frame) {
        const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          const parent = node.parentElement;
          if (!node.textContent?.trim() || !parent || !isSeen(parent)) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          const [line] = range.getClientRects();
          if (!line || parent.getBoundingClientRect().width <= 1) continue;
          let { left, right } = line;
          for (let box: Element | null = parent; box && box !== part; box = box.parentElement) {
            if (getComputedStyle(box).overflowX === "visible") continue;
            const clip = box.getBoundingClientRect();
            left = Math.max(left, clip.left);
            right = Math.min(right, clip.right);
          }
          const box = new DOMRect(left, line.top, right - left, line.height);
          texts.push({ text: node.textContent.trim(), box });
        }
      }
      for (const [index, one] of texts.entries())
        for (const other of texts.slice(index + 1)) {
          const width =
            Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const height =
            Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          // Lines that stand close share some of their leading.
          if (width > tolerancePx && height > one.box.height / 2)
            found.push(`“${one.text}” over “${other.text}”`);
        }
      for (const text of document.querySelectorAll("[data-save-state] .truncate"))
        if (isSeen(text) && text.scrollWidth > text.clientWidth)
          found.push(`shortened: ${text.textContent}`);
      if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
      return found;
    },
    [controls, content] as const,
  );
