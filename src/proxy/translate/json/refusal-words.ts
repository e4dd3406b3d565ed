/**
 * Translates V2's messages about a request into V1's words. V2 names fields of JSON and their types, which no legacy
 * program knows; V1 names elements. The table has a row for each kind of message; `test/proxy/refusal-words.test.ts`
 * checks it against every message of the sandbox's V2.
 */
import { isNoFieldName, type RequestElement } from './request-elements.ts';
import { missing } from '../../call/request.ts';

/** A message of V2, and the field it is about if V2 says so. */
export interface V2Message {
  readonly message: string;
  readonly field: string | undefined;
}

/** The element of the request whose value is at a field of V2's JSON. */
export type ElementOf = (field: string) => RequestElement | undefined;

interface Row {
  readonly said: RegExp;
  /** Undefined: the status alone is reported. */
  readonly words: (element: RequestElement | undefined, message: string) => string | undefined;
}

const invalid: Row['words'] = (element) => element && `Invalid value for ${element.name}`;
const absent: Row['words'] = (element) => element && missing(element.path).text;
const unknown: Row['words'] = (element, message) => element?.unknown ?? invalid(element, message);
const used: Row['words'] = (element) => element && `The ${nounOf(element)} is already in use`;
const sentence: Row['words'] = (_element, message) => message.charAt(0).toUpperCase() + message.slice(1);
const nothing: Row['words'] = () => undefined;

/** V1's noun for a job number. */
const nounOf = ({ field, name, text }: RequestElement): string =>
  field === 'jobnumber' && text !== undefined ? `job number ${text}` : `value of ${name}`;

/** The first row that fits applies. */
const rows: readonly Row[] = [
  {
    said: /^(?:Message not in expected format|The client name is required$|Invalid [a-z ]+ identifier$|Invalid value for )/,
    words: sentence,
  },
  { said: /\bbase64\b/, words: () => 'The content of the document is not base64' },
  // About the JSON itself, which the bridge has written.
  { said: /\bJSON\b|^The (?:body|form|request|path)\b|^A parameter\b/, words: nothing },
  { said: /^There is no such\b|^An internal error\b|^(?:The message|It) is too large/, words: nothing },
  { said: /\bis required\b|^must not be empty$|\bhas no name$/, words: absent },
  { said: /\bnames no\b|\bnames a \w+ of another\b|^Invalid [GU]UID$/, words: unknown },
  { said: /\b(?:is used by another|is taken)\b/, words: used },
  { said: /^the allocations add up to/, words: sentence },
  {
    said: /^(?:Invalid (?:input|type|option|string|key)\b|Invalid ISO \w+$|Too (?:big|small):|Unrecognized key|Expected \w+, received )/,
    words: invalid,
  },
  { said: /^(?:[a-z][\w.[\]]* )?(?:must|cannot|belong|names)\b/, words: invalid },
];

/** Whether the table has a row for the message. */
export const isKnown = (message: string): boolean => rows.some(({ said }) => said.test(message));

/**
 * The message in V1's words; undefined if only the status is to be reported. A message that the table does not know
 * stays as it is.
 */
export function legacyRefusal(told: V2Message, elementOf: ElementOf): string | undefined {
  const message = told.message.trim();
  const row = rows.find(({ said }) => said.test(message));
  if (row === undefined) return message;
  const field = told.field ?? /^([a-z]\w*) (?:is|has|must|cannot|belong|names)\b/i.exec(message)?.[1];
  return row.words(field === undefined || isNoFieldName(field) ? undefined : elementOf(field), message);
}
