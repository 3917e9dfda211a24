import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";

/** `seal`: Record and what belongs to it. `danger`: what deletes something. A page's other main action is `ink`. */
type Look = "seal" | "ink" | "plain" | "quiet" | "danger";

const looks: Record<Look, string> = {
  seal: "bg-seal text-seal-ink hover:bg-seal-deep",
  ink: "bg-ink text-paper hover:bg-ink-2",
  plain:
    "border border-rule-control bg-sheet text-ink hover:bg-paper-3 disabled:border-transparent",
  quiet: "text-ink hover:bg-paper-3",
  danger: "bg-seal-wash text-seal-text hover:bg-seal hover:text-seal-ink",
};

const sizes = {
  small: "h-8 gap-1.5 rounded-s px-3 text-sm",
  medium: "h-10 gap-2 rounded-m px-4 text-base",
  large: "h-12 gap-2 rounded-m px-5 text-md",
  pill: "h-11 gap-2.5 rounded-full px-5 text-base",
};

interface ButtonStyle {
  look?: Look;
  size?: keyof typeof sizes;
}

export function getButtonClass({ look = "plain", size = "medium" }: ButtonStyle = {}): string {
  return `touch-target inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-[550] transition-colors duration-150 ease-quiet disabled:cursor-not-allowed disabled:bg-paper-3 disabled:text-ink-3 ${looks[look]} ${sizes[size]}`;
}

type ButtonProps = ComponentProps<"button"> & ButtonStyle;

export function Button({ look, size, className = "", type = "button", ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`${getButtonClass({ ...(look && { look }), ...(size && { size }) })} ${className}`}
    />
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  /** What it does, for screen readers and as a hint under the pointer. */
  label: string;
  /** In place of `children`. */
  icon?: LucideIcon;
  iconClass?: string;
};

export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, iconClass = "size-4", className = "", children, ...rest } = props;
  return (
    <button
      title={label}
      type="button"
      {...rest}
      aria-label={label}
      className={`touch-target inline-grid shrink-0 place-items-center text-ink-2 [:where(&)]:size-9 [:where(&)]:rounded-s transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink disabled:cursor-not-allowed disabled:opacity-45 ${className}`}
    >
      {Icon ? <Icon className={iconClass} /> : children}
    </button>
  );
}
