/** The package brings no types. */
declare module "linebreak" {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may end; null at the end. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
