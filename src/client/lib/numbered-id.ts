/**
 * Row id `number` of a text whose rows have none: the same on every device. Row ids need to be unique only within their
 * lecture.
 */
export const toNumberedId = (number: number): string =>
  `00000000-0000-8000-8000-${number.toString(16).padStart(12, "0")}`;
