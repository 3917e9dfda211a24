/** LaTeX commands that begin as an escape of JSON does, such as `\frac` as `\f`. */
const commands = new Set(
  [
    "bar beta begin big bigcap bigcup binom bm bmod boldsymbol bot bullet",
    "flat forall frac",
    "nabla ne neg neq ni nleq nmid not notin nu",
    "rangle rceil rfloor rho right rightarrow rm",
    "tan tanh tau text textbf textit tfrac theta tilde times to top triangle",
  ].flatMap((names) => names.split(" ")),
);

const escapes = /\\(?:u[\da-f]{4}|[a-z]+|[\s\S])/gi;

/**
 * JSON of a model with the backslashes of formulas doubled, which models write once: `"\(\frac{1}{2}\)"` would be no JSON, or
 * lose its letters.
 */
export const repairEscapes = (json: string): string =>
  json.replace(escapes, (written) => {
    const word = written.slice(1);
    const isEscape =
      /^(?:["\\/]|u[\da-f]{4})/i.test(word) || (/^[bfnrt]/.test(word) && !commands.has(word));
    return isEscape ? written : `\\${written}`;
  });
