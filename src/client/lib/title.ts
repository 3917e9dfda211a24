import { useEffect } from "react";

let pageTitle: string | null = null;
let recordingTitle: string | null = null;

function update() {
  const title = recordingTitle ?? pageTitle;
  if (title !== null && document.title !== title) document.title = title;
}

/** The title of the shown page. */
export function useTitle(title: string): void {
  useEffect(() => {
    pageTitle = title;
    update();
  }, [title]);
}

/** Takes the place of every page's title; null: none. */
export function setRecordingTitle(title: string | null): void {
  recordingTitle = title;
  update();
}
