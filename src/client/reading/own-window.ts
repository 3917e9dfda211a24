/** The window in which `element` is shown: the page's, or that of the captions. Each has its own classes and observers. */
export const getWindow = (element: Element): Window & typeof globalThis =>
  element.ownerDocument.defaultView ?? window;
