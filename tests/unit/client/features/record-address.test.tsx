// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { useAddress } from "../../../../src/client/routes/record-address.ts";
import { holdRecording } from "../lib/kit/recording.ts";

const navigate = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", () => ({
  getRouteApi: () => ({ useSearch: () => ({ lecture: "wanted" }) }),
  useNavigate: () => navigate,
}));

it("opens the lecture of the address again when it could not be loaded, and only then", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const session = holdRecording();
  const load = vi.spyOn(session, "load");
  let open = (_id: string) => {};
  function Page() {
    open = useAddress(session, true).open;
    return null;
  }
  const root = createRoot(document.createElement("div"));
  await act(async () => root.render(<Page />));
  expect(load.mock.calls).toEqual([["wanted"]]);
  open("wanted");
  expect(load.mock.calls).toEqual([["wanted"], ["wanted"]]);
  expect(navigate).not.toHaveBeenCalled();
  open("other");
  expect(navigate).toHaveBeenCalledWith({ to: "/record", search: { lecture: "other" } });
  const lecture = { id: "wanted", title: "Greek", status: "draft" } as const;
  await act(async () => session.view.set({ ...session.view.get(), lecture }));
  open("wanted");
  expect(load).toHaveBeenCalledTimes(2);
  await act(async () => root.unmount());
});
