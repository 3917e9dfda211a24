import type { Page } from "@playwright/test";

interface DroppedFile {
  name: string;
  bytes: Uint8Array;
}

/** Drops a file on the element that `selector` finds, as a person does with the mouse. */
export const dropFile = (page: Page, selector: string, { name, bytes }: DroppedFile) =>
  page.evaluate(
    ({ selector, name, content }) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name));
      const target = document.querySelector(selector);
      for (const type of ["dragenter", "dragover", "drop"])
        target?.dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
        );
    },
    { selector, name, content: Buffer.from(bytes).toString("base64") },
  );
