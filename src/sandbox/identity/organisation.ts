/**
 * An organisation of the simulated service, with the switches of its own screens. The sandbox never imports
 * the bridge's vocabulary: its rules are typed a second time from the specification, so that the two can
 * disagree.
 */
export interface SandboxOrganisation {
  readonly id: string;
  readonly name: string;
  /** V1: the key that selects the account. */
  readonly accountKey: string;
  /** API keys of the products that may use it; empty: any. */
  readonly apiKeys: readonly string[];
  readonly switches: OrganisationSwitches;
}

export interface OrganisationSwitches {
  /** Practice management module (XML specification, "Practice management module fields"). */
  readonly practice: false | 'NZ' | 'AU';
  /** The version of V3 that an organisation with the module gets. */
  readonly practiceVersion: '3.0' | '3.1';
  /** Whether V1 answers before consent. */
  readonly v1: 'open' | 'closed';
  /** V1's behaviour after consent: a connection moved to V3 cannot move back (Versioning). */
  readonly v1AfterConsent: 'answers' | 'refuses';
  /** V3 identifiers. */
  readonly v3Identifiers: 'uuid' | 'number';
  /** V1 transition mode for every call, not only with `uuidMode=transition`. */
  readonly transition: boolean;
  /** Custom fields carry both identifiers, or one. */
  readonly customFieldIds: 'both' | 'id' | 'uuid';
  /** `client.api/list` shows deleted clients. */
  readonly listDeleted: boolean;
  readonly webUrl: 'off' | 'numeric' | 'uuid';
  readonly accountingIntegration: boolean;
  readonly timeAllocation: boolean;
  /** Time entries have a start and an end; without it V2 shows neither. */
  readonly startFinishEntry: boolean;
}

/** The caller as authentication hands it to the XML and JSON surfaces (`res.locals.caller`). */
export interface SandboxCaller {
  readonly surface: 'v1' | 'v3' | 'v2';
  readonly organisation: SandboxOrganisation;
  /** OAuth client, on V3 and V2. */
  readonly clientId: string | undefined;
  /** Whose token it is, on V3 and V2. */
  readonly userId?: string;
}
