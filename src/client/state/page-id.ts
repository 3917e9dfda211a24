/** Sent with each call (`pageHeader`), so that a page knows its own changes in the user channel. */
export const pageId = crypto.randomUUID();
