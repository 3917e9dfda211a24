import { expect, it } from "vitest";
import { emptyMeeting, parseMeeting } from "#client/features/mock/meeting/meeting-dialog.tsx";

it("requires only a name for a meeting", () => {
  expect(parseMeeting(emptyMeeting)).toBeNull();
  expect(parseMeeting({ ...emptyMeeting, name: " \t", inviteEmail: "a@example.edu" })).toBeNull();
  expect(parseMeeting({ ...emptyMeeting, name: " 周会 ", inviteEmail: " " })).toEqual({
    name: "周会",
    inviteEmail: "",
    permission: "public",
  });
});
