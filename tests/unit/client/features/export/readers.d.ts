/** Readers that bring no types: what the tests use of them. */
declare module "vtt.js" {
  interface Cue {
    startTime: number;
    endTime: number;
    text: string;
  }
  const vtt: {
    VTTCue: new (start: number, end: number, text: string) => Cue;
    WebVTT: {
      StringDecoder(): unknown;
      Parser: new (
        window: object,
        decoder: unknown,
      ) => {
        oncue: (cue: Cue) => void;
        onparsingerror: (error: Error) => void;
        parse(text: string): void;
        flush(): void;
      };
    };
  };
  export default vtt;
}
