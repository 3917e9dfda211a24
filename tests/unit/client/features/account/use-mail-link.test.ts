// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { memoizePerLink } from "#client/features/account/use-mail-link.ts";
import type { MailLink } from "#client/state/mail-link.ts";

const link = (): MailLink => ({ kind: "token", tokenHash: "secret", type: "signup" });

it("a link runs once however often the page renders, and again after an unclear result", async () => {
  let uses = 0;
  let phase = "success";
  const use = memoizePerLink(async () => {
    uses += 1;
    return { phase, uses };
  });
  const first = link();
  const states = await Promise.all([use(first), use(first)]);
  expect(states).toMatchObject([{ uses: 1 }, { uses: 1 }]);
  expect(await use(first)).toMatchObject({ uses: 1 });
  phase = "unclear";
  const second = link();
  expect(await use(second)).toMatchObject({ uses: 2 });
  expect(await use(second)).toMatchObject({ uses: 3 });
});
