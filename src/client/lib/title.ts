import { useEffect } from "react";

let pageTitle: string | null = null;
let recordingTitle: string | null = null;
let isPaused = false;
let hidesPaused = false;

function update() {
  const title = isPaused && hidesPaused ? pageTitle : (recordingTitle ?? pageTitle);
  if (title !== null && document.title !== title) document.title = title;
}

/** The title of the shown page. A page of something else than the recording hides the title of a paused one. */
export function useTitle(title: string, isOfOther = false): void {
  useEffect(() => {
    pageTitle = title;
    hidesPaused = isOfOther;
    update();
  }, [title, isOfOther]);
}

/** Takes the place of the pages' titles; null: none. */
export function setRecordingTitle(title: string | null, isOfPaused = false): void {
  recordingTitle = title;
  isPaused = isOfPaused;
  update();
}
