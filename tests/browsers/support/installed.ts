import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first program called `name` on the path. */
const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Debian's packages of Python for WebKit's window. */
const hasWebKit = (): boolean =>
  [
    "/usr/bin/python3",
    "/usr/lib/python3/dist-packages/gi/__init__.py",
    "/usr/lib/*/girepository-1.0/WebKit2-4.1.typelib",
  ].every((path) => globSync(path).length > 0);

/** The other browsers of the tests, by the names of their projects, and the packages of Debian that bring them. */
const browsers = [
  {
    name: "firefox",
    packages: "firefox-esr",
    isInstalled: () => findProgram("firefox-esr") !== undefined,
  },
  {
    name: "webkit",
    packages: "gir1.2-webkit2-4.1 python3-gi gstreamer1.0-plugins-bad xvfb",
    isInstalled: () => hasWebKit() && findProgram("Xvfb") !== undefined,
  },
];

export const installedBrowsers = (): string[] =>
  browsers.filter(({ isInstalled }) => isInstalled()).map(({ name }) => name);

/** One line on the tests that are left out; null: none. */
export function describeMissing(): string | null {
  const missing = browsers.filter(({ isInstalled }) => !isInstalled());
  if (missing.length === 0) return null;
  const names = missing.map(({ name }) => name).join(" and ");
  const packages = missing.map((browser) => browser.packages).join(" ");
  return `Without the tests in ${names}: apt-get install ${packages}`;
}
