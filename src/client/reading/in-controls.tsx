import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { useValue } from "#client/lib/signal.ts";
import { recordingControls } from "./edge-offset.ts";

/** Shows `children` among the recording controls, where the page has some. */
export function InControls({ children }: { children: ReactNode }) {
  const controls = useValue(recordingControls);
  return controls && createPortal(children, controls);
}
