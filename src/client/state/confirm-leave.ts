/** Whether leaving the page would lose something; each part of the program that holds unsaved work adds one. */
const checks: (() => boolean)[] = [];

/** The browser asks "Leave the page?" while `isLossy` returns true. What is sent meanwhile: save-on-page-hide.ts. */
export function confirmLeaveWhile(isLossy: () => boolean): void {
  checks.push(isLossy);
}

window.addEventListener("beforeunload", (event) => {
  if (checks.some((isLossy) => isLossy())) event.preventDefault();
});
