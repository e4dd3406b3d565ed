import { createPublicKey, createVerify } from 'node:crypto';
import { z } from 'zod';
import { wordsOf } from '../../../lib/log/log.ts';

/** Only notices of the configured topic are genuine; the reason is for the operator. */
export type SnsVerdict =
  | { readonly verdict: 'genuine' }
  | { readonly verdict: 'refused'; readonly reason: string }
  /** The signature cannot be checked now: SNS has to post it again. */
  | { readonly verdict: 'later'; readonly reason: string };

/** What became of a request for confirmation; the reason is for the operator. */
export type SnsConfirmation =
  | { readonly outcome: 'confirmed' }
  /** Its link has been opened already. */
  | { readonly outcome: 'known' }
  | { readonly outcome: 'failed'; readonly reason: string };

/** The means to check signatures, and to confirm a subscription. */
export interface SnsParts {
  /** The topic's ARN. */
  readonly topic: string;
  /** The text at an address of SNS, such as a certificate as PEM. Rejects, without the address, if it is unavailable. */
  readonly read: (address: string) => Promise<string>;
}

/** Most certificates and confirmed links kept: both are rare. */
const MOST_KEPT = 4;

/**
 * No credentials, no port: the host alone identifies the owner of the certificate or the link. A region such as
 * `us-gov-west-1`, because `sns.s3.amazonaws.com` and `sns.s3-us-west-2.amazonaws.com` are somebody's bucket.
 */
const ROOT = String.raw`^https:\/\/sns\.[a-z]{2,4}(?:-[a-z]{2,16}){1,3}-\d{1,2}\.amazonaws\.com(?:\.cn)?\/`;
const certificateForm = new RegExp(String.raw`${ROOT}SimpleNotificationService-[0-9a-f]{8,64}\.pem$`);
const linkForm = new RegExp(String.raw`${ROOT}\?[\x21-\x7e]{1,2000}$`);

const message = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  TopicArn: z.string(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.base64(),
  SigningCertURL: z.string(),
  ...{ Message: z.string(), MessageId: z.string(), Timestamp: z.string() },
  ...{ Subject: z.string().nullish(), SubscribeURL: z.string().optional(), Token: z.string().optional() },
});
type SnsMessage = z.infer<typeof message>;

const confirmed = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;
/** In this order (Amazon SNS Developer Guide, "Verifying the signatures of Amazon SNS messages"). */
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirmed,
  UnsubscribeConfirmation: confirmed,
} as const;
const algorithms = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' } as const;

/** Distinguishes posts of Amazon SNS for a topic from those of anybody else who knows the address. */
export class SnsTopic {
  readonly #parts: SnsParts;
  readonly #certificates = new Map<string, string>();
  /** Links that were opened, because SNS posts the same request again if it was not answered in time. */
  readonly #opened = new Set<string>();

  constructor(parts: SnsParts) {
    this.#parts = parts;
  }

  /** `body`: the parsed body of the post. */
  async judge(body: unknown): Promise<SnsVerdict> {
    const read = message.safeParse(body);
    if (!read.success) return refused('it is not a signed SNS message');
    const { TopicArn: topic, SigningCertURL: address } = read.data;
    if (topic !== this.#parts.topic) return refused('it belongs to another topic');
    if (!certificateForm.test(address)) return refused('its certificate is not one of Amazon SNS');
    let certificate: string;
    try {
      certificate = this.#certificates.get(address) ?? (await this.#parts.read(address));
    } catch {
      return { verdict: 'later', reason: 'the certificate cannot be fetched at the moment' };
    }
    if (!isSigned(read.data, certificate)) return refused('its signature is wrong');
    // Only now, so that a certificate that verifies nothing is not kept.
    if (this.#certificates.size >= MOST_KEPT) this.#certificates.clear();
    this.#certificates.set(address, certificate);
    return { verdict: 'genuine' };
  }

  /** Opens the link of a genuine request for confirmation, once. */
  async confirm(link: string): Promise<SnsConfirmation> {
    if (!linkForm.test(link)) return { outcome: 'failed', reason: 'its link does not lead to Amazon SNS' };
    if (this.#opened.has(link)) return { outcome: 'known' };
    if (this.#opened.size >= MOST_KEPT) this.#opened.clear();
    this.#opened.add(link);
    try {
      await this.#parts.read(link);
      return { outcome: 'confirmed' };
    } catch (error) {
      this.#opened.delete(link);
      return { outcome: 'failed', reason: wordsOf(error) };
    }
  }
}

const refused = (reason: string): SnsVerdict => ({ verdict: 'refused', reason });

function isSigned(signed: SnsMessage, certificate: string): boolean {
  const verify = createVerify(algorithms[signed.SignatureVersion]);
  for (const name of signedFields[signed.Type]) {
    const value = signed[name];
    // A notification without a subject is signed without one.
    if (value !== undefined && value !== null) verify.update(`${name}\n${value}\n`);
  }
  try {
    return verify.verify(createPublicKey(certificate), signed.Signature, 'base64');
  } catch {
    return false; // the certificate is invalid
  }
}
