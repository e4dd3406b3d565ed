import { describe, expect, it } from '@jest/globals';
import { mailDomainChecks } from '../../../src/app/doctor/mail-domain.ts';
import { NameServer, type Zone } from './name-server.ts';
import { found, rows } from './setting.ts';

const DOMAIN = 'mail.customer-bridge.net';
const KEY = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
const good: Zone = {
  [DOMAIN]: ['google-site-verification=1', 'v=spf1 include:_spf.provider.net -all'],
  [`_domainkey.${DOMAIN}`]: [],
  [`s1._domainkey.${DOMAIN}`]: [KEY],
  '_dmarc.customer-bridge.net': ['v=DMARC1; p=quarantine'],
  [`_dmarc.${DOMAIN}`]: [],
};

async function seen(
  zone: Zone | undefined,
  { from = `bridge@${DOMAIN}`, knowsSelector = true } = {},
): Promise<(what: string) => readonly string[]> {
  using server = await NameServer.start(zone);
  const env = { CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9', CAUSEWAY_MAIL_FROM: from };
  const findings = await found(mailDomainChecks, env, {
    resolver: server.resolver,
    dkimSelector: knowsSelector ? 's1' : undefined,
  });
  return (what) => rows(findings, what);
}

const without = (name: string): Zone =>
  Object.fromEntries(Object.entries(good).filter(([one]) => one !== name));

describe('the DNS records of the sender’s domain', () => {
  it('pass if SPF, DKIM and DMARC exist, DMARC for the whole organisation', async () => {
    const row = await seen(good);
    expect([...row('SPF'), ...row('DKIM'), ...row('DMARC')]).toEqual([
      'ok: v=spf1 include:_spf.provider.net -all',
      `ok: a key is published at s1._domainkey.${DOMAIN}`,
      'ok: v=DMARC1; p=quarantine',
    ]);
  });

  it.each<readonly [string, string, Zone, string]>([
    ['without SPF', 'SPF', { ...good, [DOMAIN]: ['other'] }, 'failed: there is no record'],
    ['without its name', 'SPF', without(DOMAIN), 'failed: there is no record'],
    [
      'with two of SPF',
      'SPF',
      { ...good, [DOMAIN]: ['v=spf1 -all', 'v=spf1 ~all'] },
      'failed: there are several',
    ],
    ['with SPF for all', 'SPF', { ...good, [DOMAIN]: ['v=spf1 +all'] }, 'failed: it allows every server'],
    ['without the key', 'DKIM', without(`s1._domainkey.${DOMAIN}`), 'failed: there is no key at'],
    [
      'with a revoked key',
      'DKIM',
      { ...good, [`s1._domainkey.${DOMAIN}`]: ['v=DKIM1; p='] },
      'failed: the key',
    ],
    ['without DMARC', 'DMARC', without('_dmarc.customer-bridge.net'), 'failed: there is no record'],
    [
      'with DMARC p=none',
      'DMARC',
      { ...good, [`_dmarc.${DOMAIN}`]: ['v=DMARC1; p=none'] },
      'warning: p=none',
    ],
    [
      'with two of DMARC',
      'DMARC',
      { ...good, [`_dmarc.${DOMAIN}`]: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] },
      'failed: there are several',
    ],
    [
      'with DMARC p=nothing',
      'DMARC',
      { ...good, [`_dmarc.${DOMAIN}`]: ['v=DMARC1; x=1'] },
      'failed: the record',
    ],
  ])('%s are reported as a fault of %s', async (_, what, zone, words) => {
    const [row] = (await seen(zone))(what);
    expect(row).toMatch(new RegExp(`^${words}`));
  });

  it.each<readonly [string, Zone, string]>([
    [
      'the organisation’s below a suffix of two labels',
      { 'kauri.co.nz': ['p=reject'] },
      'ok: v=DMARC1; p=reject',
    ],
    ['none below a suffix of two labels', { 'totara.co.nz': ['p=reject'] }, 'failed: there is no record'],
    ['one of several above it', { 'kauri.co.nz': ['p=reject'], 'news.kauri.co.nz': ['p=none'] }, 'ok:'],
    [
      'the organisation’s below a public suffix',
      { 'kauri.co.nz': ['p=reject'], 'co.nz': ['psd=y; p=none'] },
      'ok:',
    ],
    ['only that of a public suffix', { 'co.nz': ['psd=y; p=none'] }, 'warning: p=none'],
    ['one that ends the search', { 'kauri.co.nz': ['psd=n; p=reject'], 'co.nz': ['p=none'] }, 'ok:'],
    ['another policy for names below', { 'kauri.co.nz': ['p=reject; sp=none'] }, 'warning: sp=none'],
    ['several in one place', { 'kauri.co.nz': ['p=reject', 'p=none'] }, 'failed: there is no record'],
  ])('inherit a DMARC policy: %s', async (_, policies, words) => {
    const zone = Object.fromEntries(
      Object.entries(policies).map(([name, tags]) => [
        `_dmarc.${name}`,
        tags.map((one) => `v=DMARC1; ${one}`),
      ]),
    );
    const [row] = (await seen(zone, { from: 'bridge@a.news.kauri.co.nz' }))('DMARC');
    expect(row?.startsWith(words)).toBe(true);
  });

  it('cannot be judged for DKIM without a selector, unless there is no key at all', async () => {
    const [row] = (await seen(good, { knowsSelector: false }))('DKIM');
    expect(row).toMatch(/^unknown: there are keys/);
    const [none] = (await seen(without(`_domainkey.${DOMAIN}`), { knowsSelector: false }))('DKIM');
    expect(none).toBe('failed: there is no key for any selector');
  });

  it('get a warning if the name server does not answer', async () => {
    const row = await seen(undefined);
    for (const what of ['SPF', 'DKIM', 'DMARC'])
      expect(row(what)).toEqual(['warning: DNS does not answer: ETIMEOUT']);
  });

  it('are not looked up for an example domain', async () => {
    const row = await seen(good, { from: 'bridge@tidewater.example' });
    expect(row('')).toEqual([expect.stringMatching(/^failed: nobody can own this domain/)]);
  });
});
