import { only, onlyClient } from '../../support/applications.ts';
import { systemRandom } from '../../../src/lib/secret/random.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import type { Account } from '../../../src/features/accounts/account.ts';
import { Exporting } from '../../../src/features/consent/grants/exporting.ts';
import { Importing, type ImportingParts } from '../../../src/features/consent/grants/importing.ts';
import { LegacyClients } from '../../../src/features/organisation/fingerprint.ts';
import { OrganisationProof } from '../../../src/features/organisation/proof.ts';
import { GrantVault, type VaultParts } from '../../../src/tokens/vault.ts';
import type { Connection, RefreshVerdict } from '../../../src/upstream/model.ts';
import { testProfile } from '../../support/profile.ts';
import { KnobAuthority, connection, openVillage, type Village } from '../harness.ts';
import { ListLog } from '../../tokens/harness.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An access token as servers write them. */
export const jwt = (claims: object): string => `${part({ alg: 'none' })}.${part(claims)}.c2ln`;

/**
 * A server that knows the refresh tokens of a script. Each presentation kills the token and answers the next one, but for a
 * token that is presented again before its successor was: that gets the same answer (rule 5).
 */
export class ScriptAuthority extends KnobAuthority {
  readonly presented: string[] = [];
  /** By token: what it is for. */
  readonly tokens = new Map<string, { readonly user: string; readonly organisations: readonly string[] }>();
  /** Instead of an answer. */
  fault: ((token: string, nth: number) => RefreshVerdict | Promise<RefreshVerdict> | undefined) | undefined;
  readonly #now: () => number;

  constructor(now: () => number) {
    super();
    this.#now = now;
    this.known = ['org-1', 'org-2', 'org-3'].map((id) => connection(id, nameOf(id), 'event-1'));
  }

  /** A token that a script holds. */
  issue(token: string, ...organisations: readonly string[]): Secret {
    this.tokens.set(token, { user: 'user-1', organisations });
    return new Secret(token);
  }

  override async refresh(refreshToken?: Secret): Promise<never> {
    // The base class promises that nobody refreshes.
    return (await this.#answer(refreshToken?.reveal() ?? '')) as never;
  }

  override async connections(): Promise<readonly Connection[]> {
    return super.connections();
  }

  async #answer(token: string): Promise<RefreshVerdict> {
    this.presented.push(token);
    const fault = await this.fault?.(token, this.presented.length);
    if (fault !== undefined) return fault;
    const known = this.tokens.get(token);
    if (known === undefined) return { verdict: 'refused', description: 'token is unknown' };
    const next = `${token}+`;
    this.tokens.set(next, known);
    // Its successor was used: it is dead.
    this.tokens.delete(token.slice(0, -1));
    return {
      verdict: 'renewed',
      answer: {
        accessToken: new Secret(
          jwt({ sub: known.user, org_ids: known.organisations, authentication_event_id: 'event-1' }),
        ),
        accessExpiresAt: this.#now() + 30 * MINUTE,
        refreshToken: new Secret(next),
        scope: undefined,
        claims: {
          organisationIds: known.organisations,
          consenter: { userId: known.user, name: undefined, email: undefined },
          emailVerified: false,
          authenticationEventId: 'event-1',
        },
      },
    };
  }
}

/** Organisation `org-1` is Mill 1. */
export const nameOf = (id: string): string => `Mill ${id.slice(4)}`;

/** A bridge of which several instances can be made. */
export interface Setting {
  readonly village: Village;
  readonly authority: ScriptAuthority;
  readonly log: ListLog;
  readonly vault: (parts?: Partial<VaultParts>) => GrantVault;
  readonly importing: (parts?: Partial<ImportingParts>) => Importing;
  readonly exporting: (parts?: { vault?: GrantVault }) => Exporting;
  readonly account: (name?: string, organisationId?: string) => Promise<Account>;
  /** The account as it is now. */
  readonly now: (account: Account) => Promise<Account>;
}

/** Real store, seal, vault and judgement; the authorisation server and V3 are knobs. */
export async function openSetting(): Promise<Setting> {
  const village = await openVillage({ withoutV1: true });
  const { store, ring, clock, v3, accounts } = village;
  const authority = new ScriptAuthority(() => clock.now());
  const [log, profile] = [new ListLog(), testProfile()];
  const guard = { mayPresent: async () => true };
  let instances = 0;
  const vault: Setting['vault'] = (parts) => {
    instances += 1;
    const holder = `instance ${instances}`;
    const sleep = async (millis: number): Promise<void> => {
      clock.advance(millis);
    };
    return new GrantVault({
      ...{ repository: store.grants, seal: ring, clock, profile, log, holder, sleep, guard },
      applications: onlyClient({ authority }),
      ...parts,
    });
  };
  const proof = new OrganisationProof({
    crosswalk: store.crosswalk,
    legacy: new LegacyClients({ repository: store.accounts, seal: ring, v1: undefined }),
    v3,
    kind: 'client',
    segments: ['client.api', 'get'],
    element: 'Client',
    search: { segments: ['client.api', 'search'], parameter: 'query', container: 'Clients' },
    probe: { segments: ['client.api', 'list'], query: [['page', '1']] },
    numbered: profile.v3.identifiers === 'number',
  });
  const importing: Setting['importing'] = (parts) =>
    new Importing({
      imports: store.imports,
      repository: store.accounts,
      choices: store.choices,
      consents: store.consents,
      grants: store.grants,
      vault: vault(),
      applications: only({
        ...{ name: 'default', clientId: 'bridge', redirectUri: 'http://127.0.0.1:1/callback' },
        scopes: { standard: 'service offline_access', practice: 'practice offline_access' },
        ...{ authority, revoker: { revoke: async () => undefined } },
      }),
      guard,
      proof,
      proofMode: 'required',
      profile,
      seal: ring,
      random: systemRandom,
      clock,
      log,
      ...parts,
    });
  let keys = 0;
  return {
    village,
    authority,
    log,
    vault,
    importing,
    exporting: (parts = {}) =>
      new Exporting({
        exports: store.exports,
        repository: store.accounts,
        grants: store.grants,
        vault: parts.vault ?? vault(),
        client: { authUrl: 'https://auth.example', clientIds: new Map([['default', 'bridge']]) },
        profile,
        guard,
        seal: ring,
        random: systemRandom,
        clock,
        log,
      }),
    async account(name = 'Mill 1', organisationId) {
      keys += 1;
      const account = await accounts.add({
        name,
        accountKey: new Secret(`SCRIPT-KEY-${keys}`),
        apiKey: new Secret('API'),
      });
      if (organisationId !== undefined) await accounts.set(account.id, { organisationId });
      return account;
    },
    async now({ id }) {
      const found = await store.accounts.byId(id);
      if (found === undefined) throw new Error('no such account');
      return found;
    },
  };
}
