/** What this tab does around its recording session; one file, loaded after the first paint. */
import "#client/state/recording-title.ts";
import "./captions/caption-control.ts";

export { fetchAllowance, getCachedAllowance, refreshAfterRecording } from "./account-allowance.ts";
export { notify } from "./show-notice.ts";
