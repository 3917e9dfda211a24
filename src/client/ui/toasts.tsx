import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { Fragment, useEffect } from "react";
import { useT } from "#client/i18n/index.ts";
import { browserClock } from "#client/lib/clock.ts";
import { useValue } from "#client/lib/hooks.ts";
import { listen } from "#client/lib/listen.ts";
import {
  alerts,
  dismissAlert,
  setToastHandler,
  type ToastMessage,
} from "#client/lib/notifications.ts";
import { AlertDialog } from "./alert-dialog.tsx";
import { Button, IconButton } from "./button.tsx";
import { ToastQueue } from "./toast-queue.ts";

/** The attribute of the element around the toasts. */
const viewport = "data-toasts";
const shownMs = 4_000;
const shownWithActionMs = 8_000;

const dots: Record<ToastMessage["kind"], string> = {
  success: "bg-jade",
  info: "bg-ink-3",
  failure: "bg-warn",
};

/** Base UI gives toasts the role of a dialog, which they are not: they need no answer. */
const asGroup = { role: "group", "aria-modal": undefined } as const;

/** Base UI hides a toast's buttons from screen readers until it has the focus; they are reachable before. */
const notHidden = { "aria-hidden": undefined } as const;

export default function Notifications() {
  const t = useT();
  const [alert] = useValue(alerts);
  return (
    <Toast.Provider limit={1} timeout={shownMs}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t("common.notifications")}
          {...{ [viewport]: "" }}
          // Over the header, where it covers neither the recording controls nor a field, nor a dialog's buttons; below
          // menus and lists that a person has opened (z-25).
          className="fixed inset-x-4 top-[max(0.5rem,env(safe-area-inset-top))] z-20 mx-auto max-w-90"
        >
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
      <AlertDialog
        open={alert !== undefined}
        onClose={dismissAlert}
        title={alert?.title ?? ""}
        text={alert?.text ?? ""}
      >
        <Button look={alert?.actions ? "plain" : "ink"} onClick={dismissAlert}>
          {t(alert?.actions ? "common.close" : "common.ok")}
        </Button>
        {alert?.actions?.map(({ label, run, destructive }, index, { length }) => (
          <Button
            key={label}
            look={destructive ? "danger" : index === length - 1 ? "ink" : "plain"}
            onClick={() => {
              dismissAlert();
              run();
            }}
          >
            {label}
          </Button>
        ))}
      </AlertDialog>
    </Toast.Provider>
  );
}

let toastCount = 0;

function Toasts() {
  const t = useT();
  const { toasts, add, close } = Toast.useToastManager<{ kind: ToastMessage["kind"] }>();

  useEffect(() => {
    let shownId = "";
    const show = ({ kind, title, description, action }: ToastMessage) => {
      toastCount += 1;
      shownId = add({
        // A text that is shown already gets its time anew; by its new key it is announced again.
        id: JSON.stringify([title, description]),
        title: <Fragment key={toastCount}>{title}</Fragment>,
        ...(description === undefined ? {} : { description }),
        priority: kind === "failure" ? "high" : "low",
        data: { kind },
        onClose: () => queue.handleClosed(),
        ...(action && {
          timeout: shownWithActionMs,
          actionProps: {
            children: action.label,
            onClick: () => {
              close(shownId);
              action.run();
            },
          },
        }),
      });
    };
    const queue = new ToastQueue(browserClock, {
      show,
      close: () => close(shownId),
      isHeld: () => document.querySelector(`[${viewport}]:is(:hover, :focus-within)`) !== null,
    });
    const endHandler = setToastHandler((message) => queue.add(message));
    // Before the form's own handler, which may refuse it again.
    const capture = { capture: true };
    const stopListening = listen(document, "submit", () => queue.withdraw("form"), capture);
    return () => {
      endHandler();
      stopListening();
      queue.end();
    };
  }, [add, close]);

  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...asGroup}
      // Base UI removes a toast when its transitions end, so the one of `visibility` keeps it for 2.5 s. It is
      // first because with reduced motion theme.css keeps only that one, with the first duration.
      className="visible rounded-m border border-rule bg-sheet text-ink shadow-sheet [transition:visibility_2500ms,opacity_150ms] data-ending-style:invisible data-ending-style:pointer-events-none data-ending-style:absolute data-ending-style:inset-x-0 data-ending-style:top-0 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 py-2.5 pr-2 pl-4">
        <span
          aria-hidden="true"
          className={`mt-2.5 size-1.5 rounded-full ${dots[toast.data?.kind ?? "info"]}`}
        />
        {/* The button is below a text that fills its line. */}
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <div className="grid min-w-0 flex-auto gap-0.5 py-1">
            <Toast.Title className="font-semibold" />
            <Toast.Description className="text-ink-2 text-sm" />
          </div>
          {toast.actionProps ? <Toast.Action render={<Button size="small" />} /> : null}
        </div>
        <Toast.Close
          {...notHidden}
          render={<IconButton icon={X} label={t("common.close")} className="-ml-2 size-8" />}
        />
      </Toast.Content>
    </Toast.Root>
  ));
}
