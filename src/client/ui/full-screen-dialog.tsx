import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { IconButton } from "./button.tsx";
import { useFullscreen } from "./use-fullscreen.ts";

interface FullScreenDialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description: string;
  children: ReactNode;
}

/** A dialog as large as the screen, to be read from afar. */
export function FullScreenDialog(props: FullScreenDialogProps) {
  const { open, onClose, title, description, children } = props;
  const t = useT();
  useFullscreen(open, onClose);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Base.Portal data-dialog>
        <Base.Popup className="fixed inset-0 flex flex-col items-center justify-center gap-[3vmin] overflow-y-auto bg-paper p-[4vmin] text-center text-ink outline-none">
          <div className="grid gap-[1vmin]">
            <Base.Title className="text-balance font-semibold text-[clamp(1.5rem,6vmin,4rem)] leading-tight tracking-tight">
              {title}
            </Base.Title>
            <Base.Description className="text-balance text-[clamp(0.9375rem,3vmin,2rem)] text-ink-2">
              {description}
            </Base.Description>
          </div>
          {children}
          <Base.Close
            render={
              <IconButton
                icon={X}
                iconClass="size-6"
                label={t("common.close")}
                className="absolute top-4 right-4 size-11"
              />
            }
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
