/** Functions that run in the page, with the accessibility tree of axe. They use nothing from outside. */

/** An element as a person knows it. */
export interface Target {
  role?: string;
  /** The whole accessible name, unless `startsName`. */
  name?: string;
  startsName?: boolean;
  css?: string;
  /** A part of its text. */
  text?: string;
  within?: Target;
}

export interface Place {
  x: number;
  y: number;
  /** Where it is and how large, to see that it moves no more. */
  box: string;
  /** A press there reaches it. */
  isFree: boolean;
}

interface Axe {
  setup(root: Element): void;
  teardown(): void;
  commons: {
    aria: { getRole(element: Element): string | null };
    text: { accessibleText(element: Element): string };
  };
}

/**
 * What `wanted` is of the visible elements that `target` describes: how many they are, their texts, the place of the
 * only one, or what it is called with; `focus` puts the focus on it.
 */
export function look(
  target: Target,
  wanted: "count" | "texts" | "place" | "value" | "focus",
): unknown {
  const { axe } = window as unknown as { axe: Axe };
  axe.teardown();
  axe.setup(document.documentElement);
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  const toName = (element: Element) =>
    axe.commons.text.accessibleText(element).replace(/\s+/g, " ").trim();
  const fits = (element: Element, { role, name, startsName, text }: Target) => {
    if (text !== undefined && !element.textContent?.includes(text)) return false;
    if (!isVisible(element)) return false;
    if (role !== undefined && axe.commons.aria.getRole(element) !== role) return false;
    if (name === undefined) return true;
    return startsName ? toName(element).startsWith(name) : toName(element) === name;
  };
  const find = ({ within, ...own }: Target): Element[] => {
    const roots: (Element | Document)[] = within ? find(within) : [document];
    const found = new Set(roots.flatMap((root) => [...root.querySelectorAll(own.css ?? "*")]));
    return [...found].filter((element) => fits(element, own));
  };
  const found = find(target);
  axe.teardown();
  if (wanted === "count") return found.length;
  if (wanted === "texts") return found.map((element) => element.textContent ?? "");
  const [element, ...others] = found;
  if (!(element instanceof HTMLElement)) throw new Error("not there");
  if (others.length > 0) throw new Error(`${others.length + 1} of them`);
  if (wanted === "value") return "value" in element ? element.value : null;
  if (wanted === "focus") return element.focus();
  const measure = () => element.getBoundingClientRect();
  const toPoint = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2] as const;
  const isHit = () => {
    const hit = document.elementFromPoint(...toPoint(measure()));
    return hit !== null && (element.contains(hit) || hit.contains(element));
  };
  if (!isHit()) element.scrollIntoView({ block: "center" });
  const [x, y] = toPoint(measure());
  const isDisabled = element.matches(":disabled, [aria-disabled=true]");
  const place: Place = {
    x: Math.round(x),
    y: Math.round(y),
    box: JSON.stringify(measure()),
    isFree: !isDisabled && isHit(),
  };
  return place;
}

/** The focused element: its name, and whether a person sees it and that it has the focus. */
export function readFocus() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const { axe } = window as unknown as { axe: Axe };
  axe.teardown();
  axe.setup(document.documentElement);
  const name = axe.commons.text.accessibleText(element).replace(/\s+/g, " ").trim();
  axe.teardown();
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return {
    name,
    isVisible: box.width > 0 && box.bottom > 0 && box.top < innerHeight && style.opacity !== "0",
    isMarked: style.outlineStyle !== "none" || style.boxShadow !== "none",
  };
}
