import { sql, type Kysely } from 'kysely';

/**
 * Tables of the authorisation server and of the service's own screens. Times in milliseconds since the Unix
 * epoch.
 */
export interface IdentityTables {
  identity_organisations: {
    id: string;
    /** Order of creation. */
    position: number;
    name: string;
    account_key: string;
    /** JSON array. */
    api_keys: string;
    /** JSON object, `OrganisationSwitches`. */
    switches: string;
    /** The first consent of any user; `v1AfterConsent` applies from then on. */
    consented_at: number | null;
  };
  identity_users: { id: string; position: number; name: string; email: string };
  identity_memberships: {
    user_id: string;
    organisation_id: string;
    administrator: number;
    /** 'Authorise 3rd Party Full Access'. */
    privilege: number;
  };
  oauth_codes: {
    code: string;
    client_id: string;
    user_id: string;
    redirect_uri: string;
    scope: string;
    nonce: string | null;
    challenge: string | null;
    authentication_event_id: string;
    /** JSON array of organisation ids. */
    organisations: string;
    issued_at: number;
    expires_at: number;
    used_at: number | null;
    family_id: string | null;
  };
  /** One consent of one user for one application: all tokens that descend from one code. */
  oauth_families: {
    id: string;
    position: number;
    client_id: string;
    user_id: string;
    scope: string;
    authentication_event_id: string;
    auth_time: number;
    /** 0: the code was exchanged with parameters in header fields, so its tokens name no organisation. */
    complete: number;
    created_at: number;
    revoked_at: number | null;
    revoked_by: string | null;
    /** Set if a revocation includes the access tokens. */
    access_revoked_at: number | null;
  };
  oauth_family_organisations: { family_id: string; organisation_id: string; removed_at: number | null };
  oauth_refresh_tokens: {
    token: string;
    family_id: string;
    /** Number within the family, from 1. */
    n: number;
    parent: number | null;
    issued_at: number;
    expires_at: number;
    /** First use; the grace period starts here. */
    used_at: number | null;
    /** Invalidated by a retry (`latest`) or by the use of a sibling. */
    replaced_at: number | null;
    /** The answer it was issued in, byte for byte. */
    answer: string;
  };
  oauth_connections: {
    id: string;
    position: number;
    user_id: string;
    client_id: string;
    organisation_id: string;
    authentication_event_id: string;
    created_at: number;
    updated_at: number;
    disconnected_at: number | null;
  };
  sandbox_state: { name: string; value: string };
}

/** Creates missing tables and leaves existing ones as they are. */
export async function createIdentityTables(db: Kysely<IdentityTables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `CREATE TABLE IF NOT EXISTS identity_organisations (
     id TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL, account_key TEXT NOT NULL UNIQUE,
     api_keys TEXT NOT NULL, switches TEXT NOT NULL, consented_at INTEGER)`,
  `CREATE TABLE IF NOT EXISTS identity_users (
     id TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE)`,
  `CREATE TABLE IF NOT EXISTS identity_memberships (
     user_id TEXT NOT NULL, organisation_id TEXT NOT NULL, administrator INTEGER NOT NULL, privilege INTEGER NOT NULL,
     PRIMARY KEY (user_id, organisation_id))`,
  `CREATE TABLE IF NOT EXISTS oauth_codes (
     code TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id TEXT NOT NULL, redirect_uri TEXT NOT NULL,
     scope TEXT NOT NULL, nonce TEXT, challenge TEXT, authentication_event_id TEXT NOT NULL,
     organisations TEXT NOT NULL, issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER,
     family_id TEXT)`,
  `CREATE TABLE IF NOT EXISTS oauth_families (
     id TEXT PRIMARY KEY, position INTEGER NOT NULL, client_id TEXT NOT NULL, user_id TEXT NOT NULL,
     scope TEXT NOT NULL, authentication_event_id TEXT NOT NULL, auth_time INTEGER NOT NULL, complete INTEGER NOT NULL,
     created_at INTEGER NOT NULL, revoked_at INTEGER, revoked_by TEXT, access_revoked_at INTEGER)`,
  `CREATE TABLE IF NOT EXISTS oauth_family_organisations (
     family_id TEXT NOT NULL, organisation_id TEXT NOT NULL, removed_at INTEGER,
     PRIMARY KEY (family_id, organisation_id))`,
  `CREATE TABLE IF NOT EXISTS oauth_refresh_tokens (
     token TEXT PRIMARY KEY, family_id TEXT NOT NULL, n INTEGER NOT NULL, parent INTEGER, issued_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL, used_at INTEGER, replaced_at INTEGER, answer TEXT NOT NULL,
     UNIQUE (family_id, n))`,
  'CREATE INDEX IF NOT EXISTS oauth_refresh_tokens_parent ON oauth_refresh_tokens (family_id, parent)',
  `CREATE TABLE IF NOT EXISTS oauth_connections (
     id TEXT PRIMARY KEY, position INTEGER NOT NULL, user_id TEXT NOT NULL, client_id TEXT NOT NULL,
     organisation_id TEXT NOT NULL, authentication_event_id TEXT NOT NULL, created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL, disconnected_at INTEGER, UNIQUE (user_id, client_id, organisation_id))`,
  `CREATE TABLE IF NOT EXISTS sandbox_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
];
