/** Why an action failed; announced. */
export function Failure({ text }: { text: string | null }) {
  return (
    <p role="alert" className="font-medium text-sm text-warn empty:hidden">
      {text}
    </p>
  );
}
