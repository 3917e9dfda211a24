import {
  type ComponentProps,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";

/** Some browsers (WebKitGTK) have no `field-sizing`: there a field without a height of its own has `rows` lines. */
const canSizeItself = () => CSS.supports("field-sizing", "content");

/** A field as high as its text, at least `rows` lines. A class may give it a least and a largest height. */
export function GrowingTextarea({ ref, className = "", ...props }: ComponentProps<"textarea">) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The field exists by then.
  useImperativeHandle(ref, () => field.current as HTMLTextAreaElement, []);
  // Each time: its text, or the size of its letters, may be another one.
  useLayoutEffect(() => {
    if (field.current && !canSizeItself()) fitHeight(field.current);
  });
  useEffect(() => {
    const area = field.current;
    if (area === null || canSizeItself()) return;
    // Lines are broken elsewhere in another width.
    const observer = new ResizeObserver(() => fitHeight(area));
    observer.observe(area);
    return () => observer.disconnect();
  }, []);
  return <textarea {...props} ref={field} className={`field-sizing-content ${className}`} />;
}

function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  const borders = area.offsetHeight - area.clientHeight;
  area.style.height = `${area.scrollHeight + borders}px`;
}
