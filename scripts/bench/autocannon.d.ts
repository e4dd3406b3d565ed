/** The parts used by the bench; the package has no types. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string;
    readonly connections: number;
    readonly amount: number;
    /** In seconds, for one reply. */
    readonly timeout: number;
    readonly verifyBody: (body: string) => boolean;
    readonly requests?: readonly {
      readonly setupRequest: (request: { readonly path: string }) => { readonly path: string };
    }[];
  }
  export interface Result {
    readonly '2xx': number;
    readonly errors: number;
    readonly timeouts: number;
    readonly mismatches: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
