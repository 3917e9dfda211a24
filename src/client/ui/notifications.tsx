import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { Fragment, useEffect } from "react";
import { useT } from "#client/i18n/index.ts";
import {
  alerts,
  dismissAlert,
  setToastHandler,
  type ToastMessage,
} from "#client/lib/notifications.ts";
import { useValue } from "#client/lib/signal.ts";
import { AlertDialog } from "./alert-dialog.tsx";
import { Button, IconButton } from "./button.tsx";

const maxShown = 3;
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
    <Toast.Provider limit={maxShown} timeout={shownMs}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t("common.notifications")}
          // Above the recording controls; on a wide screen beside them.
          // On a phone a dialog covers the lower edge: then they are at the upper one.
          className="fixed right-4 bottom-[calc(max(1rem,env(safe-area-inset-bottom))+max(var(--controls-height,0px),var(--back-to-live,0px)))] left-4 z-20 flex flex-col gap-2 min-[86rem]:bottom-4 sm:left-auto sm:w-90 max-sm:in-[body:has(>[data-dialog])]:top-4 max-sm:in-[body:has(>[data-dialog])]:bottom-auto"
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
/** The id of the last toast about each state. */
const stateToasts = new Map<string, string>();

function Toasts() {
  const t = useT();
  const { toasts, add, close } = Toast.useToastManager<{ kind: ToastMessage["kind"] }>();

  useEffect(
    () =>
      setToastHandler(({ kind, title, description, state, action }) => {
        toastCount += 1;
        const before = state && stateToasts.get(state);
        const id = add({
          // A text that is shown already gets its time anew; by its new key it is announced again.
          id: JSON.stringify([title, description]),
          title: <Fragment key={toastCount}>{title}</Fragment>,
          ...(description === undefined ? {} : { description }),
          priority: kind === "failure" ? "high" : "low",
          data: { kind },
          ...(action && {
            timeout: shownWithActionMs,
            actionProps: {
              children: action.label,
              onClick: () => {
                close(id);
                action.run();
              },
            },
          }),
        });
        if (before !== undefined && before !== id) close(before);
        if (state) stateToasts.set(state, id);
      }),
    [add, close],
  );

  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      {...asGroup}
      // Base UI removes a toast when its transitions end, so the one of `visibility` keeps it for 2.5 s. It is
      // first because with reduced motion theme.css keeps only one transition, with the first duration.
      className="visible rounded-m border border-rule bg-sheet text-ink shadow-sheet [transition:visibility_2500ms,opacity_150ms] data-ending-style:invisible data-ending-style:pointer-events-none data-ending-style:absolute data-ending-style:right-0 data-ending-style:bottom-0 data-ending-style:left-0 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="grid grid-cols-[auto_1fr_auto] items-start gap-3 py-2.5 pr-2 pl-4">
        <span
          aria-hidden="true"
          className={`mt-2.5 size-1.5 rounded-full ${dots[toast.data?.kind ?? "info"]}`}
        />
        <div className="grid gap-0.5 py-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="text-ink-2 text-sm" />
          {toast.actionProps ? (
            <Toast.Action render={<Button size="small" />} className="mt-1.5 justify-self-start" />
          ) : null}
        </div>
        <Toast.Close
          {...notHidden}
          render={
            <IconButton label={t("common.close")} className="size-8">
              <X className="size-4" aria-hidden="true" />
            </IconButton>
          }
        />
      </Toast.Content>
    </Toast.Root>
  ));
}
