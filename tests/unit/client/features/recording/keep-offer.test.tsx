// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { KeepOffer } from "#client/features/recording/keep-offer.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { recordingWith, show } from "#tests/unit/client/reading/kit.tsx";

vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => {} }));

it("copies the sentence that is being spoken too", async () => {
  await Promise.all([showLanguage("en"), dialogMessages.load()]);
  const { session, transcript } = recordingWith(1);
  const line = { finalText: "And", interimText: " now", speaker: null, startMs: 4_000 };
  transcript.setLive({ ...line, preview: "" });
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const takeAway = await show(<KeepOffer session={session} />);
  await act(async () => document.querySelector("button")?.click());
  expect(writeText.mock.calls).toEqual([["[S1] Sentence 0.\n第0句。\n\nAnd now"]]);
  await takeAway();
});
