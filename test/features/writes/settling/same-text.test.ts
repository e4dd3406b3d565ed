import { expect, it } from '@jest/globals';
import { likeness, type Likeness } from '../../../../src/features/writes/settling/same-text.ts';
import type { FormatName } from '../../../../src/mapping/formats.ts';

type Row = readonly [format: FormatName, sent: string, shown: string, likeness: Likeness];

const rows: readonly Row[] = [
  ['text', 'Anna  Lee', 'anna lee', 'same'],
  ['text', 'one\r\ntwo', 'one\ntwo', 'same'],
  ['text', 'Zoe\u0308', 'Zoë', 'same'],
  ['text', '(04) 555-0100', '04 555 0100', 'alike'],
  ['text', 'example.org', 'https://example.org/', 'alike'],
  ['text', 'Anna', 'Ben', 'different'],
  ['text', 'Anna', 'Anna-Maria', 'different'],
  ['text', 'Anna', '', 'different'],
  ['text', '!', '?', 'different'],
  ['date', '20261119', '2026-11-19T00:00:00', 'same'],
  ['plainDate', '2026-11-19', '20261119', 'same'],
  ['date', '20261119', '2026-11-20T00:00:00', 'different'],
  ['date', 'soon', '2026-11-20T00:00:00', 'alike'],
  ['money', '1.5', '1.50', 'same'],
  ['money', '0', '', 'same'],
  ['money', '1.505', '1.51', 'alike'],
  ['money', '1.5', '2.50', 'different'],
  ['minutes', '045', '45', 'same'],
  ['yesNo', 'true', 'Yes', 'same'],
  ['trueFalse', 'No', 'true', 'different'],
  ['timeOfDay', '9:05', '09:05', 'same'],
  ['timeOfDay', '545', '09:05', 'same'],
  ['month', '3', 'Mar', 'same'],
  ['month', 'mar', 'March', 'same'],
  ['month', '03', '2026-03-31', 'same'],
  ['month', '3', 'May', 'different'],
  ['month', '3', '', 'different'],
  ['gstPeriod', '1', 'Monthly', 'same'],
  ['gstPeriod', '6', '6 Monthly', 'same'],
  ['gstPeriod', '2', 'Monthly', 'different'],
  ['gstPeriod', '1', '', 'different'],
  ['maskedTail', '123456789', '******789', 'same'],
  ['maskedTail', '123456789', '******123', 'different'],
  ['maskedTail', '******789', '******123', 'same'],
];

it.each(rows)('the comparison of a %s treats %j and %j as %s', (format, sent, shown, wanted) => {
  expect(likeness(sent, shown, format)).toBe(wanted);
});

const exactRows: readonly Row[] = [
  ['text', 'Anna Lee', 'Anna Lee', 'same'],
  ['text', 'one\r\ntwo', 'one\ntwo', 'same'],
  ['text', 'Anna  Lee', 'anna lee', 'alike'],
  ['text', 'Anna', 'Ben', 'different'],
  ['date', '20261119', '2026-11-19T00:00:00', 'same'],
  ['date', '2026-11-19T00:00:00+13:00', '2026-11-19T00:00:00', 'same'],
  ['date', '2026-11-19T09:30:00', '2026-11-19T00:00:00', 'alike'],
  ['money', '1.5', '1.50', 'same'],
  ['money', '0', '', 'alike'],
  ['yesNo', 'true', 'Yes', 'same'],
  ['month', '3', 'Mar', 'same'],
  ['maskedTail', '123456789', '******789', 'alike'],
  ['maskedTail', '123456789', '******123', 'different'],
  ['maskedTail', '******789', '******789', 'same'],
  ['maskedTail', '******789', '******123', 'alike'],
];

it.each(exactRows)('the exact comparison of a %s treats %j and %j as %s', (format, sent, shown, wanted) => {
  expect(likeness(sent, shown, format, 'exact')).toBe(wanted);
});
