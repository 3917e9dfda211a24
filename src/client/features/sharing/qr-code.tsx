import { useMemo } from "react";
import { encode } from "uqr";

/** White modules around the code, without which some cameras do not find it. */
const quietZone = 4;

/** A run of dark modules of each row as a path, one unit a module. */
function drawModules(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { path: runs.join(""), size };
}

interface QrCodeProps {
  text: string;
  label: string;
  className: string;
}

/** Black on white in both themes: not every camera reads the inverse. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { path, size } = useMemo(() => drawModules(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path fill="white" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="black" d={path} />
    </svg>
  );
}
