/**
 * What a mail server's refusal proves against the address: the enhanced status decides (RFC 3463), or the words of a
 * server that gives none, which must say that there is no such mailbox.
 */

const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/** `550 5.1.1 User unknown`, `Sorry, no mailbox here by that name. (#5.1.1)` ⇒ `5.1.1`. */
export const statusIn = (said: string): string | undefined => STATUS.exec(said)?.[0];

/**
 * Statuses that prove nothing against the address, although the server gave up: 4.x.x may pass, x.1.7 and x.1.8 are the
 * sender's address, x.2.2 is a full mailbox, x.2.3, x.3.4 and x.6 are the message, x.3.1 is a full server, x.4.5 a
 * limit, and x.7 is a policy, which is mostly about the sender: one wrong DNS record would end e-mail to every customer.
 */
const PASSING = /^(?:4\.|5\.(?:1\.[78]|2\.[23]|3\.[14]|4\.5|6\.\d+|7\.\d+)$)/;

/** How servers without a status for it refuse the sender or the message (Exim, qmail), or report a full mailbox. */
const SENDER =
  /\b(?:black|block|deny)[- ]?list|\b(?:dns|r)bl\b|spamhaus|\bspam\b|unsolicited|\b(?:spf|dkim|dmarc)\b|reputation|client host|\bquota\b|mailbox (?:is )?full|limit exceeded|\bsender\b|\b(?:helo|ehlo)\b|\breverse\b|\bptr\b|verification failed|\byour (?:ip|host|hostname|domain|server|dns)\b|rcpthosts/i;

/** How they say that there is no such mailbox. */
const MISSING =
  /\bno such\b|unknown|\bnot (?:a )?(?:found|exist|known|valid)|n't (?:exist|have|know)|\b(?:no|invalid|bad|non-?existent|unroute?able|undeliverable) (?:user|recipient|mailbox|address|account)|\bno longer (?:exists|valid)|disabled|deactivated|previously bounced/i;

/** They say no more than "refused"; x.1.0 and x.1.2 are also used for the sender's address. */
const isVague = (status: string): boolean => ['', '5.0.0', '5.1.0', '5.1.2'].includes(status);

const clearest = (status: string, said: string): string =>
  isVague(status) ? (statusIn(said) ?? status) : status;

/** Whether the refusal names another fault than the address, so that a provider's "permanent" does not count. */
export function namesOther(status: string, said: string): boolean {
  const clear = clearest(status, said);
  return PASSING.test(clear) || (isVague(clear) && SENDER.test(said));
}

/** Whether the address may still be good. A refusal that names neither fault is not held against it. */
export const isPassing = (status: string, said: string): boolean =>
  namesOther(status, said) || (said !== '' && isVague(clearest(status, said)) && !MISSING.test(said));

/** Whether the status names the address as the fault: it does not exist (x.1), or is disabled (x.2.1). */
export const namesAddress = (status: string): boolean =>
  !PASSING.test(status) && /^5\.(?:1\.\d+|2\.1)$/.test(status);
