import {
  type ComponentProps,
  createContext,
  type SubmitEvent,
  use,
  useEffect,
  useRef,
  useState,
} from "react";

/** What is wrong with a form's values, by field name. Empty after a failure that is about no field. */
export type FieldErrors = Readonly<Record<string, string>>;

const FieldErrorsContext = createContext<FieldErrors>({});

/** What is wrong with the field `name` of the form around it. */
export function useFieldError(name: string | undefined): string | undefined {
  const errors = use(FieldErrorsContext);
  return name === undefined ? undefined : errors[name];
}

interface FormProps
  extends Pick<ComponentProps<"form">, "id" | "className" | "onFocus" | "children"> {
  busy?: boolean;
  /** Called with the fields' texts by name, not while `busy`. Resolves to null after success. */
  onSubmit: (values: Record<string, unknown>) => Promise<FieldErrors | null>;
}

/**
 * A form that shows errors at its fields until they are edited. After a failure the first wrong field has the
 * focus, or the element that had it before: disabled while busy, it has lost it.
 */
export function Form({ busy = false, onSubmit, children, ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<{ focused: Element | null } | null>(null);

  useEffect(() => {
    if (!failure) return;
    const wrong = form.current?.querySelector("[aria-invalid=true]");
    const next = wrong ?? (document.activeElement === document.body ? failure.focused : null);
    if (next instanceof HTMLElement) next.focus();
  }, [failure]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const focused = document.activeElement;
    setErrors({});
    const next = await onSubmit(Object.fromEntries(new FormData(event.currentTarget)));
    if (!next) return;
    setErrors(next);
    setFailure({ focused });
  }

  return (
    <FieldErrorsContext value={errors}>
      {/* The browser's own messages would be in its language. */}
      <form
        {...rest}
        ref={form}
        noValidate
        onSubmit={submit}
        onInput={(event) => {
          const { name } = event.target as HTMLInputElement;
          if (errors[name]) setErrors({ ...errors, [name]: "" });
        }}
      >
        {children}
      </form>
    </FieldErrorsContext>
  );
}
