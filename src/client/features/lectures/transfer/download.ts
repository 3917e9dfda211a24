/** As long as a browser may take to begin with a download. */
const keptMs = 60_000;

/** Gives `file` to the user's downloads under `name`. */
export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
