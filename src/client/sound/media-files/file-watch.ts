/** How long a file may take to give a byte, and how often it is told that it has not, ms. */
const periodMs = 5_000;

/**
 * Calls `tell` again and again while `file` does not give its bytes: it lies in a cloud, and the system is fetching it.
 * Returns the function that ends this.
 */
export function watchFile(file: Blob, tell: () => void): () => void {
  let isReading = false;
  const timer = setInterval(() => {
    if (isReading) {
      tell();
      return;
    }
    isReading = true;
    const end = () => {
      isReading = false;
    };
    file.slice(-1).arrayBuffer().then(end, end);
  }, periodMs);
  return () => clearInterval(timer);
}
