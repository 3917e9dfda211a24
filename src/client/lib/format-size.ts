const bytesPerMegabyte = 1_000_000;

/** A size in MB, such as `12 MB`; with one decimal below 10. */
export function formatSize(bytes: number): string {
  const megabytes = bytes / bytesPerMegabyte;
  return `${megabytes < 10 ? Math.max(0.1, megabytes).toFixed(1) : Math.round(megabytes)} MB`;
}
