import type { ModelServer } from "#tests/fixtures/model-server.ts";
import { enterAsGuest } from "./support/journey.ts";
import { hubHosts, openModels, startModelHub } from "./support/model-hub.ts";
import { expect, test } from "./support/test.ts";

/** Models on the device in a real browser: its storage, its policy for other origins, and redirects between them. */

let hub: ModelServer;
test.beforeEach(async () => {
  hub = await startModelHub();
});
test.afterEach(() => hub.close());

// `model-downloads.test.ts` and `device-models.test.tsx` hold it every time; `device-translation.spec.ts` downloads too.
test("downloads a model when asked, continues, keeps it without the hub, and deletes it", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/ERR_CONNECTION_REFUSED/);
  const page = await visit({ hosts: { names: hubHosts, port: hub.port } });
  await enterAsGuest(page);
  await page.goto("/record");
  const decoder = "onnx/decoder_model_merged_quantized.onnx";
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  hub.faults.set(decoder, { holdAfter: 5_000_000, until: isReleased });

  await test.step("asks for nothing before the person agrees to the size", async () => {
    const model = await openModels(page);
    await expect(model).toContainText("Whisper tiny · 44 MB");
    await expect(model.getByRole("button")).toHaveText(["Download"]);
    expect(hub.requests).toEqual([]);
  });

  await test.step("shows the progress, and keeps what has arrived when it is cancelled", async () => {
    const model = page.getByRole("listitem").filter({ hasText: "Whisper tiny" });
    await model.getByRole("button", { name: "Download" }).click();
    await expect(model).toContainText("6.0 MB of 10 MB");
    await expect(model.getByRole("progressbar")).toHaveAttribute("max", "10024000");
    await model.getByRole("button", { name: "Cancel" }).click();
    await expect(model.getByRole("status")).toHaveText("The download stopped at 6.0 MB of 44 MB.");
    release();
    hub.faults.clear();
    hub.requests.length = 0;
  });

  await test.step("continues after a reload with the missing bytes", async () => {
    await page.reload();
    const model = await openModels(page);
    await expect(model.getByRole("status")).toContainText("The download stopped at 6.0 MB");
    await model.getByRole("button", { name: "Continue" }).click();
    await expect(model.getByRole("status")).toHaveText("On this device, and in use.");
    expect(hub.requests).toEqual(["list", expect.stringMatching(new RegExp(`^${decoder} from 5`))]);
  });

  await test.step("needs no hub from then on", async () => {
    await hub.close();
    await page.reload();
    const model = await openModels(page);
    await expect(model.getByRole("status")).toHaveText("On this device, and in use.");
  });

  await test.step("deletes it, and says that the hub does not answer", async () => {
    const model = page.getByRole("listitem").filter({ hasText: "Whisper tiny" });
    await model.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(model.getByRole("button")).toHaveText(["Download"]);
    const parts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open("dualect-models");
          opening.onsuccess = () => {
            const counting = opening.result.transaction("parts").objectStore("parts").count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
    expect(parts).toBe(0);
    await model.getByRole("button", { name: "Download" }).click();
    await expect(model.getByRole("status")).toContainText("huggingface.co did not answer.");
    await expect(model.getByRole("button")).toHaveText(["Try again"]);
  });
});
