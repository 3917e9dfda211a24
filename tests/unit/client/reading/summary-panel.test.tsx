// @vitest-environment happy-dom
import { act, useState } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import SafeMarkdown from "#client/reading/markdown.tsx";
import SummaryPanel from "#client/reading/summary-panel.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { recordingWith, show, type } from "./kit.tsx";

let takeAway = async () => {};
beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
afterEach(() => takeAway());

const button = (name: string) =>
  [...document.querySelectorAll<HTMLElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
const click = (name: string) => act(async () => button(name)?.click());

async function panel() {
  const { session } = recordingWith(3);
  session.view.set({ ...session.view.get(), status: "paused" });
  function Sample() {
    const [expanded, setExpanded] = useState(false);
    return <SummaryPanel lecture={session} signedIn expanded={expanded} onExpand={setExpanded} />;
  }
  takeAway = await show(<Sample />);
  return session;
}

it("shows Markdown without HTML and images, and with links that do not expose the page", async () => {
  takeAway = await show(
    <SafeMarkdown
      text={
        "# Heat\n\n<script>alert(1)</script>\n\na <b onclick='x'>bold</b> picture\n\n" +
        "![p](https://example.org/p.png)\n\n" +
        "[a](https://example.org) [b](javascript:alert(1))\n\n- one\n- two"
      }
    />,
  );
  const root = document.querySelector("#root");
  expect(root?.querySelector("script,b,img,[onclick]")).toBeNull();
  expect(root?.querySelector("h3")?.textContent).toBe("Heat");
  expect(root?.querySelectorAll("li").length).toBe(2);
  const [safe, unsafe] = [...(root?.querySelectorAll("a") ?? [])];
  expect(safe?.getAttribute("href")).toBe("https://example.org");
  expect(safe?.rel).toContain("noopener");
  expect(safe?.target).toBe("_blank");
  expect(unsafe?.getAttribute("href") ?? "").not.toContain("javascript");
});

it("generates a first summary at once, and replaces one only after a confirmation", async () => {
  const session = await panel();
  await click("Generate Summary");
  expect(session.generateSummary).toHaveBeenCalledOnce();
  await act(async () => session.summary.set({ text: "About", state: "generating" }));
  expect(button("Generating...")?.hasAttribute("disabled")).toBe(true);
  await waitFor(() => expect(document.querySelector("#root")?.textContent).toContain("About"));

  await act(async () => session.summary.set({ text: "About heat.", state: "idle" }));
  await click("Generate Summary");
  expect(session.generateSummary).toHaveBeenCalledOnce();
  await click("Cancel");
  await click("Generate Summary");
  await click("Replace");
  expect(session.generateSummary).toHaveBeenCalledTimes(2);
});

it("shows a failure and keeps the earlier summary", async () => {
  const session = await panel();
  await act(async () => session.summary.set({ text: "About heat.", state: "failed" }));
  expect(document.querySelector("#root")?.textContent).toContain(
    "The summary could not be generated.",
  );
  await waitFor(() =>
    expect(document.querySelector("#root")?.textContent).toContain("About heat."),
  );
});

it("is edited in full screen, but not while it is generated", async () => {
  const session = await panel();
  await click("Show the summary in full screen");
  const field = () => document.querySelector<HTMLTextAreaElement>("textarea");
  await type(field(), "My own words");
  expect(session.setSummary.mock.lastCall).toEqual(["My own words"]);
  expect(field()?.value).toBe("My own words");
  await act(async () => session.summary.set({ text: "The model's", state: "generating" }));
  expect(field()?.value).toBe("The model's");
  expect(field()?.readOnly).toBe(true);
});
