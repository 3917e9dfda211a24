/** What the lines of a text area depend on. */
const copied = [
  ...["font-family", "font-size", "font-weight", "letter-spacing", "line-height", "tab-size"],
  ...["padding-top", "padding-left", "padding-right", "word-break", "overflow-wrap"],
];

/** How far below the upper edge of `area` its character `index` stands, px. */
export function characterTop(area: HTMLTextAreaElement, index: number): number {
  const style = getComputedStyle(area);
  const mirror = document.createElement("div");
  for (const name of copied) mirror.style.setProperty(name, style.getPropertyValue(name));
  mirror.style.boxSizing = "border-box";
  mirror.style.width = `${area.clientWidth}px`;
  mirror.style.position = "absolute";
  mirror.style.visibility = "hidden";
  mirror.style.whiteSpace = "pre-wrap";
  const mark = document.createElement("span");
  mark.textContent = "\u200b";
  mirror.append(area.value.slice(0, index), mark);
  document.body.append(mirror);
  const top = mark.offsetTop;
  mirror.remove();
  return top;
}
