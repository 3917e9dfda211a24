import { useState } from "react";
import { useT } from "#client/i18n/export-import/index.ts";
import { Button } from "#client/ui/button.tsx";
import { Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { remoteAddressMaxLength } from "#shared/limits.ts";
import { parseRemoteAddress } from "#shared/remote-file.ts";

interface AddressFormProps {
  /** In the field at first. */
  address: string;
  onAddress: (address: string) => void;
}

/** A field for the address of a recording, a feed or a page. */
export function AddressForm({ address, onAddress }: AddressFormProps) {
  const t = useT();
  const [text, setText] = useState(address);

  async function submit() {
    const url = parseRemoteAddress(text);
    if (url === null) return { address: t("import.linkInvalid") };
    onAddress(url.href);
    return null;
  }

  return (
    <Form onSubmit={submit} className="flex items-start gap-2">
      <TextField
        name="address"
        label={t("import.link")}
        hint={t("import.linkHint")}
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={remoteAddressMaxLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="min-w-0 grow"
      />
      {/* As high as the field, and beside it. */}
      <Button type="submit" className="mt-6.5 h-11">
        {t("import.fetch")}
      </Button>
    </Form>
  );
}
