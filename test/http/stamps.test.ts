import { describe, expect, it } from '@jest/globals';
import { stampsIn } from '../../src/http/console/stamps.ts';

describe('times in the console', () => {
  const at = Date.parse('2026-11-20T16:20:59Z');

  it('are shown in the zone of the installation, with the exact time beside them', () => {
    const { moment, minute, zone } = stampsIn('Pacific/Auckland');
    expect(zone).toBe('Pacific/Auckland');
    expect(String(moment(at))).toBe('2026-11-21 05:20');
    expect(minute('2026-11-20T16:20:59.000Z')).toMatchObject({
      html: '<time datetime="2026-11-20T16:20:59.000Z">2026-11-21 05:20</time>',
    });
  });

  it('are in UTC in the form of the report', () => {
    expect(String(stampsIn('UTC').moment(at))).toBe('2026-11-20 16:20');
  });

  it('that are missing are a dash, or empty', () => {
    const { moment, minute } = stampsIn('UTC');
    expect(moment(undefined)).toBe('–');
    expect(minute(null)).toBe('');
  });
});
