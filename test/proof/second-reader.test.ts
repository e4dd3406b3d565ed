import { expect, it } from '@jest/globals';
import { SecondReader } from '../../src/lib/xml/second/second-reader-thread.ts';

const list = '<Response><Status>OK</Status><Clients><Client><ID>1</ID></Client></Clients></Response>';

it('a thread reads one reply after the other, and both readers agree', async () => {
  const reader = new SecondReader();
  const found = await Promise.all([1, 2, 3].map(() => reader.disagreement(list)));
  expect(found).toEqual([undefined, undefined, undefined]);
  await reader.close();
});

it('a reply that only one reader can read is reported', async () => {
  const reader = new SecondReader();
  expect(await reader.disagreement('<Response><Name>a</Name')).toBeUndefined();
  expect(await reader.disagreement('<Response><Name>a &unknown; b</Name></Response>')).toContain(
    'whole reply',
  );
  await reader.close();
});

it('a thread that cannot be started is reported, and is not an error', async () => {
  const reader = new SecondReader(new URL('./there-is-no-such-thread.ts', import.meta.url));
  expect(await reader.disagreement(list)).toContain('cannot read it within its limits');
});
