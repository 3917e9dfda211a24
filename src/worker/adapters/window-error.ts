/** What servers say of a prompt, or of prompt and answer, that are longer than the window. */
const windowWords =
  /context[ _](?:length|size|window)|(?:prompt|input|request) (?:is )?too (?:long|large)/i;

/** Whether an error is about the window. Only its beginning is read: it may repeat the whole prompt. */
export const namesWindow = (error: string): boolean => windowWords.test(error.slice(0, 500));
