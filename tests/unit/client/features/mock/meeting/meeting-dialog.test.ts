import { expect, it } from "vitest";
import { emptyMeeting, parseMeeting } from "#client/features/mock/meeting/meeting-dialog.tsx";

it("a meeting needs a name, and nothing else", () => {
  expect(parseMeeting(emptyMeeting)).toBeNull();
  expect(parseMeeting({ ...emptyMeeting, name: " \t", inviteEmail: "a@example.edu" })).toBeNull();
  expect(parseMeeting({ ...emptyMeeting, name: " 周会 ", inviteEmail: " " })).toEqual({
    name: "周会",
    inviteEmail: "",
    permission: "public",
  });
});
