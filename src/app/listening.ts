/** The addresses of a started bridge, and the mapping that it has compiled. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Undefined for a worker. */
  readonly metricsPort?: number | undefined;
  /** Set if legacy programs have a listener of their own. */
  readonly legacyHost?: string;
  readonly legacyPort?: number;
  /** The digest of the mapping. */
  readonly digest: string;
}
