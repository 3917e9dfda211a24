import { FullScreenDialog } from "#client/ui/full-screen-dialog.tsx";
import { useT } from "./messages/index.ts";
import { QrCode } from "./qr-code.tsx";

interface LargeViewProps {
  link: string;
  readers: number;
  open: boolean;
  onClose: () => void;
}

/** The link for a room: the code and the address as large as the screen allows. */
export function LargeView({ link, readers, open, onClose }: LargeViewProps) {
  const t = useT();
  const { host, pathname } = new URL(link);
  const codeAt = pathname.lastIndexOf("/") + 1;
  return (
    <FullScreenDialog
      open={open}
      onClose={onClose}
      title={t("share.largeTitle")}
      description={t("share.largeText")}
    >
      <QrCode
        text={link}
        label={t("share.qr")}
        className="size-[min(56vh,86vw)] shrink-0 rounded-l"
      />
      <p
        dir="ltr"
        className="max-w-full wrap-anywhere font-semibold text-[clamp(1.125rem,min(3.4vw,6vh),3.5rem)] leading-tight tracking-tight"
      >
        {host}
        {pathname.slice(0, codeAt)}
        <wbr />
        {pathname.slice(codeAt)}
      </p>
      <p className="text-[clamp(1rem,3vmin,2rem)] text-ink-2 tabular">
        {t("share.readers", { count: readers })}
      </p>
    </FullScreenDialog>
  );
}
