import { expect, it } from "vitest";
import { selectSettings } from "#local/stack.ts";
import { settingNames } from "#worker/settings.ts";

it("passes every setting to the worker, except those that the stack sets", () => {
  const env = Object.fromEntries(settingNames.map((name) => [name, `value of ${name}`]));
  const { APP_ENV: _, LOCAL_STACK_URL: __, ...others } = env;
  expect(others).toHaveProperty("SONIOX_STREAMS");
  expect(selectSettings({ ...env, HOME: "/root" })).toEqual(others);
  expect(selectSettings({ LLM_MODEL: "", SONIOX_STREAMS: undefined })).toEqual({});
});
