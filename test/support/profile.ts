import { profileSchema, type Profile } from '../../src/upstream/profile.ts';

type ProfileChanges = Partial<Omit<Profile, 'durations'>> & {
  readonly durations?: Partial<Profile['durations']>;
};

/** A profile as the documents suggest it, with what a test wants otherwise. */
export function testProfile({ durations, ...changes }: ProfileChanges = {}): Profile {
  return profileSchema.parse({
    name: 'test',
    paths: { authorize: '/identity/connect/authorize', token: '/connect/token', revocation: '/revocation' },
    exchangeCredentials: 'body',
    refreshCredentials: 'basic',
    pkce: true,
    prompt: 'consent',
    organisationHeader: 'account-id',
    organisationSources: ['claims', 'connections'],
    v3: {
      identifiers: 'uuid',
      pageSizes: { default: 500 },
      pageParameter: 'page',
      sizeParameter: 'pagesize',
    },
    v2: {
      pageSize: 500,
      pageParameter: 'page',
      sizeParameter: 'pagesize',
      spellings: [
        ['job-status', 'job-statuses'],
        ['client-types', 'clienttypes', 'clientTypes'],
      ],
    },
    limits: { perMinute: 60 },
    durations: {
      access: 1800,
      refresh: 5_184_000,
      grace: 1800,
      refreshAhead: 300,
      refreshTimeout: 90,
      lease: 270,
      keepAlive: 2_592_000,
      sweepEvery: 5,
      upstreamTimeout: 60,
      consentAttempt: 600,
      documentLink: 3600,
      ...durations,
    },
    ...changes,
  });
}
