// @vitest-environment happy-dom
import { act, useState } from "react";
import { encode } from "uqr";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { isShareDialogOpen } from "#client/features/sharing/dialog-state.ts";
import { sharingMessages } from "#client/features/sharing/messages/index.ts";
import { QrCode } from "#client/features/sharing/qr-code.tsx";
import { ShareButton, ShareHost } from "#client/features/sharing/share-control.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { DataProvider, queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import { keepShareCode } from "#client/state/share-links.ts";
import type { Share } from "#shared/share.ts";
import { hide, settle, show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

const navigate = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", async (load) => ({
  ...(await load<object>()),
  useNavigate: () => navigate,
  useRouterState: () => "/record",
}));

const share: Share = {
  id: "share",
  lectureId: "heat",
  mode: "while_recording",
  mayCopy: true,
  showsSlides: false,
  createdAt: "2026-11-20T09:00:00.000Z",
  readers: 0,
  readersMax: 30,
  languagesMax: 1,
  hasLargerPlan: true,
};
const code = "A".repeat(22);
const renewedCode = "B".repeat(22);

let stored: Share | null;
let slides: object[];
let server: ReturnType<typeof fakeServer>;
let refusal: Refusal | null;

beforeAll(() => Promise.all([showLanguage("en"), sharingMessages.load()]));
beforeEach(() => {
  localStorage.clear();
  signIn();
  stored = null;
  slides = [];
  refusal = null;
  const change = (next: Share | null, answer?: object) => () => {
    if (refusal !== null) return refusal;
    stored = next;
    return answer;
  };
  server = fakeServer({
    "shares.get": () => stored,
    "shares.create": () => change({ ...share }, { ...share, code })(),
    "shares.renew": change(
      { ...share, id: "renewed" },
      { ...share, id: "renewed", code: renewedCode },
    ),
    "shares.change": ({ lectureId: _, ...settings }: Partial<Share>) =>
      change(stored && { ...stored, ...settings })(),
    "shares.end": change(null),
    "slides.list": () => slides,
    "lectures.list": () => ({ items: [], nextCursor: null }),
  });
});
afterEach(async () => {
  // First: a page that is shown would ask the next test's server.
  await hide();
  isShareDialogOpen.set(false);
  endRecordingSession();
  queryClient.clear();
});

type HostProps = Parameters<typeof ShareHost>[0];

async function open(props: Partial<HostProps> = {}, isQuiet = false): Promise<void> {
  const host: HostProps = { lectureId: "heat", signedIn: true, isRecording: true, ...props };
  await show(
    <DataProvider>
      <ShareButton lectureId={host.lectureId} isQuiet={isQuiet} />
      <ShareHost {...host} />
    </DataProvider>,
  );
  await act(async () => isShareDialogOpen.set(true));
}

const text = () => document.body.textContent ?? "";
const listButtons = (name: string) =>
  [...document.querySelectorAll("button")].filter(
    (button) => button.textContent === name && !button.closest("#root"),
  );
async function press(name: string): Promise<void> {
  await settle(() => expect(listButtons(name).at(-1)?.disabled).toBe(false));
  await act(async () => listButtons(name).at(-1)?.click());
}
const link = () => document.querySelector<HTMLInputElement>("input[readonly]")?.value;
const label = () => document.querySelector("#root button")?.getAttribute("aria-label");

it.each([
  ["what is recorded", true, "while_recording"],
  ["what was recorded", false, "until_revoked"],
])(
  "shares %s as soon as it opens, and shows the link, the code and the readers",
  async (_, isRecording, mode) => {
    const session = holdRecording();
    await open({ isRecording });
    await settle(() => expect(link()).toBe(`${location.origin}/live/${code}`));
    expect(server.sent.at(-1)).toEqual({ 0: { lectureId: "heat", mode, mayCopy: true } });
    expect(server.calls.filter((call) => call === "shares.create")).toHaveLength(1);
    expect(text()).toContain("0 reading (up to 30)");
    expect(text()).toContain("yours, or one other at a time");
    expect(document.querySelector("svg[role=img]")?.getAttribute("aria-label")).toContain(
      "QR code",
    );
    expect(label()).toBe("Shared · 0 readers");
    // Readers see a sentence once it is saved.
    expect(session.setShared).toHaveBeenLastCalledWith("heat", true);
  },
);

it("shows the same button on a lecture that is read, whose name says that it is shared", async () => {
  await open({ isRecording: false }, true);
  await settle(() => expect(label()).toBe("Share (Shared · 0 readers)"));
  expect(document.querySelector("#root button")?.textContent).toBe("Share");
});

it("creates the lecture first where nothing was recorded yet", async () => {
  const createLecture = vi.fn(async () => "heat");
  await open({ lectureId: null, createLecture });
  await settle(() => expect(server.calls).toContain("shares.create"));
  expect(createLecture).toHaveBeenCalledOnce();
});

it("says why sharing failed, also where the lecture was created for it, and tries again", async () => {
  const Host = () => {
    const [lectureId, setLectureId] = useState<string | null>(null);
    const createLecture = async () => {
      setLectureId("heat");
      return "heat";
    };
    return (
      <ShareHost
        lectureId={lectureId}
        signedIn={true}
        isRecording={true}
        createLecture={createLecture}
      />
    );
  };
  await show(
    <DataProvider>
      <Host />
    </DataProvider>,
  );
  refusal = new Refusal("rate_limited");
  await act(async () => isShareDialogOpen.set(true));
  await waitForText("Too many attempts. Please wait a moment and try again.");
  refusal = null;
  await press("Share live");
  await settle(() => expect(link()).toContain(code));
});

it("renews the link only after a question, and stops", async () => {
  const session = holdRecording();
  stored = share;
  keepShareCode(share.id, code);
  await open();
  await settle(() => expect(link()).toContain(code));
  await press("New link");
  await waitForText("The old link and its QR code stop working at once.");
  expect(server.calls).not.toContain("shares.renew");
  await press("New link");
  await settle(() => expect(link()).toContain(renewedCode));
  await press("Stop sharing");
  await settle(() => expect(label()).toBe("Share live"));
  expect(isShareDialogOpen.get()).toBe(false);
  expect(server.calls).not.toContain("shares.create");
  expect(session.setShared).toHaveBeenLastCalledWith("heat", false);
});

it("changes the settings of a shared lecture, or says that it has ended", async () => {
  stored = share;
  await open();
  await waitForText("Ends when you save the lecture");
  const untilStopped = () =>
    document.querySelectorAll<HTMLInputElement>("input[type=radio]").item(1);
  await act(async () => untilStopped().click());
  await waitForText("The lecture stays readable after the recording");
  expect(server.sent.at(-1)).toEqual({ 0: { lectureId: "heat", mode: "until_revoked" } });
  stored = null;
  refusal = new Refusal("not_found");
  await act(async () => document.querySelector<HTMLElement>("[role=switch]")?.click());
  await settle(() => expect(listButtons("Share live")).toHaveLength(1));
  expect(server.calls).not.toContain("shares.create");
});

it("keeps both settings that are changed one right after the other", async () => {
  stored = share;
  await open();
  await waitForText("Ends when you save the lecture");
  await act(async () => {
    document.querySelector<HTMLElement>("[role=switch]")?.click();
    document.querySelectorAll<HTMLInputElement>("input[type=radio]").item(1).click();
  });
  await waitForText("The lecture stays readable after the recording");
  await settle(() => expect(stored).toMatchObject({ mode: "until_revoked", mayCopy: false }));
  expect(document.querySelector("[role=switch]")?.getAttribute("aria-checked")).toBe("false");
});

it("asks whether readers see the slides only where the lecture has some", async () => {
  stored = share;
  slides = [{ id: "slide" }];
  await open();
  await waitForText("Readers see the slides");
  await act(async () => document.querySelectorAll<HTMLElement>("[role=switch]").item(1).click());
  await settle(() => expect(stored).toMatchObject({ mayCopy: true, showsSlides: true }));
  await hide();
  queryClient.clear();
  stored = share;
  slides = [];
  await open();
  await waitForText("Ends when you save the lecture");
  expect(document.querySelectorAll("[role=switch]")).toHaveLength(1);
});

it("offers a new link where the link was made on another device", async () => {
  stored = share;
  await open();
  await waitForText("its link is shown only on the device that made it");
  expect(link()).toBeUndefined();
  await press("New link");
  await press("New link");
  await settle(() => expect(link()).toContain(renewedCode));
});

it("says when all places are taken, and where there are more", async () => {
  stored = { ...share, readers: 30 };
  await open();
  await waitForText("All 30 places are taken.");
  await press("See plans with more places");
  expect(navigate).toHaveBeenLastCalledWith({
    to: "/profile",
    state: { view: "subscription" },
  });
});

it("tells guests to sign in, and where they come back to", async () => {
  await open({ lectureId: null, signedIn: false });
  await waitForText("Sign in to share what you record.");
  expect(listButtons("Share live")).toEqual([]);
  await press("Sign In");
  expect(navigate).toHaveBeenLastCalledWith({ to: "/auth", search: { redirect: "/record" } });
  expect(server.calls).toEqual([]);
});

it("offers another try where it is not known whether the lecture is shared", async () => {
  server = fakeServer({ "shares.get": () => new Refusal("internal") });
  queryClient.setDefaultOptions({
    queries: { ...queryClient.getDefaultOptions().queries, retry: false },
  });
  await open();
  await waitForText("We could not find out whether this lecture is shared.");
  stored = share;
  server = fakeServer({ "shares.get": () => stored });
  await press("Try again");
  await waitForText("Open for readers");
});

it("draws each module of a QR code, with four white ones around it", async () => {
  const text = `https://dualect.example/live/${code}`;
  await show(<QrCode text={text} label="code" className="" />);
  const [, dark] = document.querySelectorAll("path");
  const drawn = new Set<string>();
  for (const [, x = "", y = "", run = ""] of (dark?.getAttribute("d") ?? "").matchAll(
    /M(\d+) (\d+)h(\d+)v1h-\d+z/g,
  ))
    for (let at = Number(x); at < Number(x) + Number(run); at += 1) drawn.add(`${at} ${y}`);
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const expected = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`${x + 4} ${y + 4}`] : [])),
  );
  expect([...drawn].sort()).toEqual(expected.sort());
  expect(document.querySelector("svg")?.getAttribute("viewBox")).toBe(
    `0 0 ${size + 8} ${size + 8}`,
  );
});
