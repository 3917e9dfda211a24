// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it } from "vitest";
import { shortcutMessages } from "#client/features/shell/messages/index.ts";
import ShortcutHelp from "#client/features/shell/shortcut-help.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { useShortcuts } from "#client/reading/use-shortcuts.ts";
import { press, settle, show } from "#tests/unit/client/kit/page.tsx";

beforeAll(() => Promise.all([showLanguage("en"), shortcutMessages.load()]));

const findList = () => document.querySelector("[role=dialog] dl");
const listKeys = () =>
  [...(findList()?.querySelectorAll("kbd") ?? [])].map((key) => key.textContent);

async function openList() {
  await press("?");
  await settle(() => expect(findList()).not.toBeNull());
}

function Recorder() {
  useShortcuts({ r: () => {}, s: () => {}, "mod+s": () => {} });
  return <div data-row="0">Light bends.</div>;
}

function Page({ hasRecorder }: { hasRecorder: boolean }) {
  return (
    <>
      <ShortcutHelp />
      {hasRecorder ? <Recorder /> : <input />}
    </>
  );
}

it("lists the keys of the page that is shown", async () => {
  await show(<Page hasRecorder />);
  await openList();
  expect(listKeys()).toEqual([
    "R",
    "S",
    "Ctrl/⌘ S",
    "?",
    "Enter",
    "↑ ↓",
    "Space",
    "Ctrl/⌘ F",
    "Esc",
  ]);
  await press("Escape");
  await settle(() => expect(findList()).toBeNull());
  await show(<Page hasRecorder={false} />);
  await openList();
  expect(listKeys()).toEqual(["?", "Esc"]);
});

it("leaves a question mark in a field to the field", async () => {
  await show(<Page hasRecorder={false} />);
  await act(async () => document.querySelector("input")?.focus());
  await press("?");
  expect(findList()).toBeNull();
});
