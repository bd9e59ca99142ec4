import { describe, expect, it } from 'vitest';
import { listSamples } from './generated-values.ts';

const samplesOf = (type: string, fields: object = {}) =>
  listSamples({ path: [], written: { type, ...fields } });

describe('the values of a generator', () => {
  it('have its bounds, length and format', () => {
    expect(samplesOf('RandomInt', { min: 1, max: 5 })).toEqual([1, 5, 3]);
    expect(samplesOf('RandomString', { size: 3 })).toEqual(['xxx']);
    expect(samplesOf('Uuid', { format: 'simple' })).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    expect(samplesOf('DateTime', { format: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX" })).toEqual([
      '2026-03-14T09:26:53.589Z',
    ]);
    expect(samplesOf('DateTime', { format: 'EEE, d MMM yyyy HH:mm:ss xx' })).toEqual([
      'Sat, 14 Mar 2026 09:26:53 +0000',
    ]);
  });

  it('are unknown where a provider state or an expression makes them', () => {
    expect(samplesOf('ProviderState', { expression: 'a' })).toBe(null);
    expect(samplesOf('Regex', { regex: 'a+' })).toBe(null);
  });
});
