import { isReservedName } from './reserved-names.ts';
import type { Settings } from '../settings/model.ts';
import { reasonOf } from './ask.ts';
import { failed, ok, unknown, warning, type Check, type Situation, type Verdict } from './model.ts';

const PAGE = 'docs/campaign/mail.md#getting-mail-delivered';
/** DNS has the name, but no record of this kind; or not even the name. */
const NO_RECORD = 'ENODATA';
const NO_NAME = 'ENOTFOUND';

type Records = { readonly texts: readonly string[] } | { readonly error: string };

/**
 * The DNS records that receivers of mail look up for the domain of CAUSEWAY_MAIL_FROM. Whether SPF allows the mail
 * server itself, and whether it signs with the published key, only a received mail shows.
 */
export function mailDomainChecks({ mail }: Settings): readonly Check[] {
  if (mail === undefined) return [];
  const domain = mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1);
  if (isReservedName(domain))
    return [
      {
        what: `sender ${domain}`,
        examine: () =>
          failed('nobody can own this domain: it is reserved for examples', 'set CAUSEWAY_MAIL_FROM'),
      },
    ];
  return [
    { what: `SPF of ${domain}`, examine: (situation) => spf(situation, domain) },
    { what: `DKIM of ${domain}`, examine: (situation) => dkim(situation, domain) },
    { what: `DMARC of ${domain}`, examine: (situation) => dmarc(situation, domain) },
  ];
}

async function textsAt({ resolver }: Situation, name: string): Promise<Records> {
  try {
    return { texts: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

const isAbsent = (error: string): boolean => error === NO_RECORD || error === NO_NAME;

const silent = (error: string): Verdict =>
  warning(`DNS does not answer: ${error}`, 'check the name servers of this machine, then run doctor again');

/** RFC 7208. `include` and `redirect` are not followed: receivers do that. */
async function spf(situation: Situation, domain: string): Promise<Verdict> {
  const found = await textsAt(situation, domain);
  if ('error' in found && !isAbsent(found.error)) return silent(found.error);
  const [record, another] = 'texts' in found ? found.texts.filter((text) => /^v=spf1( |$)/i.test(text)) : [];
  if (record === undefined)
    return failed('there is no record: receivers cannot know who sends for the domain', `add it (${PAGE})`);
  // RFC 7208, 4.5: several records are a permanent error.
  if (another !== undefined)
    return failed('there are several records, so none counts', `keep only one (${PAGE})`);
  if (/(^| )\+?all( |$)/i.test(record))
    return failed('it allows every server in the world', 'end it with -all or ~all');
  return ok(record);
}

/** The operator of the mail server chooses the selector; selectors cannot be listed. */
async function dkim(situation: Situation, domain: string): Promise<Verdict> {
  const { dkimSelector: selector } = situation;
  if (selector !== undefined) return dkimKey(situation, `${selector}._domainkey.${domain}`);
  const found = await textsAt(situation, `_domainkey.${domain}`);
  // RFC 8020: if a name does not exist, nothing exists below it.
  if ('error' in found && found.error === NO_NAME)
    return failed('there is no key for any selector', `publish the key of your mail server (${PAGE})`);
  if ('error' in found && found.error !== NO_RECORD) return silent(found.error);
  return unknown(
    'there are keys; only a signed mail shows which one your mail server uses',
    'run doctor again with --dkim and the s= value of its DKIM-Signature header',
  );
}

async function dkimKey(situation: Situation, name: string): Promise<Verdict> {
  const found = await textsAt(situation, name);
  if ('error' in found && !isAbsent(found.error)) return silent(found.error);
  const key = 'texts' in found ? found.texts.find((text) => /(^|;)\s*p=/i.test(text)) : undefined;
  if (key === undefined)
    return failed(`there is no key at ${name}`, `publish the key of your mail server (${PAGE})`);
  // RFC 6376, 3.6.1: an empty key has been revoked.
  if (/(^|;)\s*p=\s*(;|$)/i.test(key))
    return failed(`the key at ${name} is revoked`, `publish the current one (${PAGE})`);
  return ok(`a key is published at ${name}`);
}

/**
 * RFC 9989, 4.10: if the domain has no record, those of the domains above it are collected. Where domains are registered
 * below `co.nz`, no count of labels tells which of them is the organisation's.
 */
async function dmarc(situation: Situation, domain: string): Promise<Verdict> {
  const inherited: PolicyRecord[] = [];
  for (const name of treeWalk(domain)) {
    const found = await policiesAt(situation, name);
    if (!Array.isArray(found)) return found;
    const [record, another] = found;
    if (another !== undefined && name === domain)
      return failed('there are several records, so none counts', `keep only one (${PAGE})`);
    if (record === undefined || another !== undefined) continue;
    if (name === domain) return dmarcPolicy('p', record.text);
    inherited.push(record);
    if (tagOf('psd', record.text) !== undefined) break;
  }
  return inheritedPolicy(organisationsRecord(inherited)?.text);
}

async function policiesAt(situation: Situation, name: string): Promise<PolicyRecord[] | Verdict> {
  const found = await textsAt(situation, `_dmarc.${name}`);
  if ('error' in found) return isAbsent(found.error) ? [] : silent(found.error);
  return found.texts.filter((text) => /^v=DMARC1\s*(;|$)/i.test(text)).map((text) => ({ name, text }));
}

const inheritedPolicy = (text: string | undefined): Verdict =>
  text === undefined
    ? failed('there is no record: without it, large receivers refuse bulk mail', `add it (${PAGE})`)
    : dmarcPolicy(tagOf('sp', text) === undefined ? 'p' : 'sp', text);

interface PolicyRecord {
  readonly name: string;
  readonly text: string;
}

/** The domain, then those above it up to the top; of a long name only the last seven labels. */
function treeWalk(domain: string): readonly string[] {
  const labels = domain.split('.');
  const above = labels.map((_, at) => labels.slice(at).join('.')).slice(Math.max(1, labels.length - 7));
  return [domain, ...above];
}

/** RFC 9989, 4.10.2: the last one found, but if that is of a public suffix, the one directly below it. */
function organisationsRecord(found: readonly PolicyRecord[]): PolicyRecord | undefined {
  const [below, last] = [found.at(-2), found.at(-1)];
  if (last === undefined || tagOf('psd', last.text) !== 'y') return last;
  return below?.name.split('.').slice(1).join('.') === last.name ? below : last;
}

const tagOf = (tag: string, record: string): string | undefined =>
  new RegExp(String.raw`;\s*${tag}\s*=\s*([^;\s]*)\s*(;|$)`, 'i').exec(record)?.[1]?.toLowerCase();

/** `sp` is the policy for the domains below. */
function dmarcPolicy(tag: 'p' | 'sp', record: string): Verdict {
  const policy = tagOf(tag, record) ?? '';
  if (!['none', 'quarantine', 'reject'].includes(policy))
    return failed('the record has no valid policy', `correct it (${PAGE})`);
  return policy === 'none'
    ? warning(
        `${tag}=none: anybody can send in your name`,
        `once your own mail passes, set ${tag}=quarantine`,
      )
    : ok(record);
}
