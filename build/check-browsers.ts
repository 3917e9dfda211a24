import { relative } from "node:path";
import ts from "typescript";
import { features } from "web-features";
import { oldestBrowsers } from "./browsers.ts";

/**
 * `npm run check:browsers`: fails where the page uses an interface of the browser that one of the oldest browsers lacks.
 * What ECMAScript has, `tsconfig.client.json` restricts. Styles are no part of it.
 */

/** Interfaces, and parts of others, that the page may use although some of the browsers lack them. */
const allowed: ReadonlySet<string> = new Set([
  // Brought by `src/polyfills`.
  "api.AbortSignal.any_static",
  "api.AbortSignal.timeout_static",
  "api.URL.canParse_static",
  // Used where the browser has them.
  "api.AudioData",
  "api.AudioDecoder",
  "api.AudioEncoder",
  "api.Document.exitFullscreen",
  "api.Document.fullscreenElement",
  "api.Document.fullscreenEnabled",
  "api.Element.requestFullscreen",
  "api.EncodedAudioChunk",
  "api.Highlight",
  "api.MediaDevices.getDisplayMedia",
  "api.Navigator.wakeLock",
  "api.StorageManager.estimate",
  "api.WakeLock",
  "api.WakeLockSentinel",
  "api.Window.cancelIdleCallback",
  "api.Window.requestIdleCallback",
  // There, but not in all that the standard says of it.
  "api.KeyboardEvent.isComposing",
  "api.KeyboardEvent.repeat",
  "api.MediaDevices.enumerateDevices",
  "api.MediaStreamTrack.muted",
  "api.Window.devicePixelRatio",
  "api.Window.open",
]);

const browserNames = {
  chrome: "chrome",
  edge: "edge",
  firefox: "firefox",
  safari: "safari",
  ios: "safari_ios",
} as const;

/** By its key, such as `api.AbortSignal.any_static`: the oldest browsers that lack it. */
const lacking = new Map<string, readonly string[]>();
for (const feature of Object.values(features)) {
  if (feature.kind !== "feature") continue;
  for (const [key, status] of Object.entries(feature.status.by_compat_key ?? {})) {
    const names = Object.entries(browserNames).flatMap(([name, compatName]) => {
      const since = Number.parseFloat(status.support[compatName]?.replace("≤", "") ?? "Infinity");
      return since > Number(oldestBrowsers[name as keyof typeof oldestBrowsers]) ? [name] : [];
    });
    lacking.set(key, names);
  }
}

/** The keys that a declaration of TypeScript's library for browsers may have. */
function listKeys(declaration: ts.Declaration, name: string): string[] {
  if (!/\/lib\.dom[^/]*\.d\.ts$/.test(declaration.getSourceFile().fileName)) return [];
  const { parent } = declaration;
  if (ts.isInterfaceDeclaration(parent)) {
    // Interfaces that others include have no keys of their own.
    const owners = [parent.name.text, "Window", "Document", "Element", "HTMLElement", "Navigator"];
    return [...owners.map((owner) => `api.${owner}.${name}`), `api.${name}`];
  }
  if (ts.isTypeLiteralNode(parent) && ts.isVariableDeclaration(parent.parent))
    return [`api.${parent.parent.name.getText()}.${name}_static`];
  if (ts.isModuleBlock(parent)) return [`api.${parent.parent.name.text}.${name}_static`];
  return [`api.${name}`, `api.Window.${name}`];
}

const config = ts.getParsedCommandLineOfConfigFile(
  "tsconfig.client.json",
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  },
);
const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
const checker = program.getTypeChecker();
const used = new Set<string>();
let problems = 0;

function check(node: ts.Node): void {
  ts.forEachChild(node, check);
  if (!ts.isIdentifier(node) || ts.isPartOfTypeNode(node)) return;
  const declarations = checker.getSymbolAtLocation(node)?.declarations ?? [];
  const keys = declarations.flatMap((declaration) => listKeys(declaration, node.text));
  const key = keys.find((one) => lacking.has(one));
  const names = key === undefined ? [] : (lacking.get(key) ?? []);
  if (key === undefined || names.length === 0) return;
  const owner = key.split(".", 2).join(".");
  used.add(key).add(owner);
  if (allowed.has(key) || allowed.has(owner)) return;
  problems += 1;
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  console.error(`${relative(".", file.fileName)}:${line + 1}: ${names.join(", ")} without ${key}`);
}

for (const file of program.getSourceFiles())
  if (/\/src\/(client|shared)\//.test(file.fileName)) check(file);
for (const key of allowed)
  if (!used.has(key)) {
    problems += 1;
    console.error(`build/check-browsers.ts: nothing uses ${key}`);
  }
if (problems > 0) process.exitCode = 1;
