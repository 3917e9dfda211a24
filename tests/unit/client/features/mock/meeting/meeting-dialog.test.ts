import { expect, it } from "vitest";
import { blankMeeting, madeMeeting } from "#client/features/mock/meeting/meeting-dialog.tsx";

it("a meeting needs a name, and nothing else", () => {
  expect(madeMeeting(blankMeeting)).toBeNull();
  expect(madeMeeting({ ...blankMeeting, name: " \t", inviteEmail: "a@example.edu" })).toBeNull();
  expect(madeMeeting({ ...blankMeeting, name: " 周会 ", inviteEmail: " " })).toEqual({
    name: "周会",
    inviteEmail: "",
    permission: "public",
  });
});
