// @vitest-environment happy-dom
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { FieldErrors } from "#client/ui/form.tsx";
import { Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";

const onSubmit = vi.fn<(values: Record<string, unknown>) => Promise<FieldErrors | null>>();

/** Disabled while a call is in flight, as every form of the product. */
function Sample() {
  const [busy, setBusy] = useState(false);
  return (
    <Form
      busy={busy}
      onSubmit={async (values) => {
        setBusy(true);
        const errors = await onSubmit(values);
        setBusy(false);
        return errors;
      }}
    >
      <TextField name="email" label="E-mail" defaultValue="lin" disabled={busy} />
      <TextField name="password" label="Password" hint="At least 6 characters" disabled={busy} />
      <button type="submit" disabled={busy}>
        Sign in
      </button>
    </Form>
  );
}

beforeEach(async () => {
  await show(<Sample />);
});

const get = <T extends HTMLElement>(selector: string) => {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const getNote = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? null;

async function submit(errors: FieldErrors | null) {
  onSubmit.mockResolvedValueOnce(errors);
  get("button").focus();
  await act(async () => get("button").click());
}

it("describes each wrong field and focuses the first", async () => {
  await submit({ password: "Too short", email: "Invalid email address" });
  expect(onSubmit).toHaveBeenLastCalledWith({ email: "lin", password: "" });
  const email = get("[name=email]");
  expect(document.activeElement).toBe(email);
  expect(email.getAttribute("aria-invalid")).toBe("true");
  expect(getNote(email)).toContain("Invalid email address");
  expect(getNote(get("[name=password]"))).toContain("Too short");
});

it("drops an error when its field is edited, and the others after the next submission", async () => {
  await submit({ password: "Too short", email: "Invalid email address" });
  await act(async () => {
    get("[name=password]").dispatchEvent(new Event("input", { bubbles: true }));
  });
  expect(getNote(get("[name=password]"))).toBe("At least 6 characters");
  expect(get("[name=email]").getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(get("[name=email]"));
  await submit(null);
  expect(document.querySelector("[aria-invalid]")).toBeNull();
});

it("gives the focus back after a failure that is about no field", async () => {
  await submit({});
  expect(document.activeElement).toBe(get("button"));
});
