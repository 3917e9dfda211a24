const markRun = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * `text.normalize(form)`, without the combining marks that follow thirty others: the time of `normalize` grows with the
 * square of a run of them. Letters have at most a few (UAX #15, stream-safe text format).
 */
export const normalize = (text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string =>
  text.replace(markRun, "$1").normalize(form);
