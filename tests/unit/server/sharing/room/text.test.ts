import { expect, test } from "vitest";
import { createShareState, fingerprint, toSharedRow } from "#server/sharing/room/state.ts";
import { ShareWorld } from "./share-world.ts";

test("rows that readers have had since before a restart are not sent again", () => {
  const world = new ShareWorld();
  world.append({}, false);
  world.append({}, false);
  const items = world.rows.map((row) => ({
    position: row.position,
    language: "",
    seq: 3,
    fingerprint: fingerprint(toSharedRow(row)),
  }));
  world.append({}, false);
  const share = { version: 1, epoch: "epoch", seq: 3, recording: null } as const;
  world.state = createShareState({ share, items }, [], "other epoch");
  const page = world.join();
  world.settle();
  expect([...world.state.rows.values()].map(({ seq }) => seq)).toEqual([3, 3, 4]);
  expect(page.texts).toEqual(world.rows.map(({ original }) => original));
});

test("a row whose language was found out later is sent again", () => {
  const world = new ShareWorld({ sourceLanguage: "detect" });
  world.append();
  const page = world.join();
  world.settle();
  const [row] = world.rows;
  if (!row) throw new Error("no row");
  world.rows = [{ ...row, spokenIn: "de" }];
  world.send({ type: "changed", rows: { from: 0, to: 1 }, isCompleted: false });
  world.settle();
  expect(page.rows).toMatchObject([{ spokenIn: "de" }]);
});
