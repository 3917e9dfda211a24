/** The oldest browsers that the program is built for (decision 80). */
export const oldestBrowsers = {
  chrome: "109",
  edge: "109",
  firefox: "115",
  ios: "16.4",
  safari: "16.4",
} as const;

/** The same as Vite's `build.target`, for scripts and style sheets. */
export const buildTarget: string[] = Object.entries(oldestBrowsers).map(
  ([name, version]) => name + version,
);
