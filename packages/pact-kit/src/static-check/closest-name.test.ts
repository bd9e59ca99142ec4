import { describe, expect, it } from 'vitest';
import { editDistance, findClosest, suggestName } from './report.ts';

describe('findClosest', () => {
  it.each([
    ['teamId', ['team_id', 'status'], 'team_id'],
    ['joinabel', ['joinable', 'instance'], 'joinable'],
    ['Retry-Afterwards', ['Retry-After', 'X-Request-Id'], 'Retry-After'],
    ['weather', ['team_id', 'status'], null],
  ])('takes %s for what it most likely is', (name, known, closest) => {
    expect(findClosest(name, known)).toBe(closest);
  });

  it('counts two exchanged letters as one mistake', () => {
    expect(editDistance('sessoin', 'session')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });

  it('lists what there is when nothing is near', () => {
    expect(suggestName('weather', ['asc', 'desc'])).toBe('Known: asc, desc.');
    expect(suggestName('weather', [])).toBeNull();
  });
});
