/** The one version of the API whose shapes the stand-in has: that of the installed client. */
export const apiVersion = "2026-10-28.endive";
