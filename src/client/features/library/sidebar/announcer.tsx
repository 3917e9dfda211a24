import { useEffect } from "react";
import { Signal, useValue } from "#client/lib/signal.ts";

const announcement = new Signal("");

export const announce = (text: string): void => announcement.set(text);

/** The live region that reads changes of the tree to screen readers. */
export function Announcer() {
  const text = useValue(announcement);
  useEffect(() => () => announcement.set(""), []);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
