import { describe, expect, test } from 'vitest';
import type { PlannedChange } from './import-rules.ts';
import { createImportPlan } from './import-rules.ts';

const create = (index: number, description = ''): PlannedChange => {
  const recordId = `r${index}`;
  const fields = { name: `Item ${index}`, item_type: 'unit', description };
  const steps = [{ type: 'create' as const, recordId, reason: undefined, fields }];
  return { recordId, name: fields.name, operation: 'create', before: null, after: fields, steps };
};

/** More than the thousand that are listed. */
const UNTOLD = 1_000_000;

describe('the operations of a plan', () => {
  test('are written in their order, in batches of 500 or of some hundred thousand characters', () => {
    const plan = createImportPlan('scope', true, UNTOLD);
    const changes = Array.from({ length: 1_100 }, (_, index) => create(index));
    const large = Array.from({ length: 4 }, (_, index) =>
      create(2_000 + index, 'x'.repeat(200_000)),
    );
    for (const change of [...changes, ...large]) plan.add(change);
    const batches = [...plan.steps.batches('Season 4')];
    expect(batches.map(({ length }) => length)).toEqual([500, 500, 102, 2]);
    const steps = [...changes, ...large].flatMap((change) => change.steps);
    expect(batches.flat()).toEqual(steps.map((step) => ({ ...step, reason: 'Season 4' })));
    expect(plan.steps.count()).toBe(1_104);
  });

  test('have the same digest whether they are kept or not', () => {
    const [kept, shown] = [true, false].map((keepsSteps) => {
      const plan = createImportPlan({ sandboxId: 's' }, keepsSteps);
      plan.add(create(1, 'text "quoted"'));
      return plan.digest();
    });
    expect(kept).toBe(shown);
  });

  test('are dropped at the first problem of the file', () => {
    const plan = createImportPlan('scope', true);
    plan.add(create(1));
    plan.refuse({ row: 2, msg: 'Must be JSON' });
    plan.add(create(3));
    expect([...plan.steps.batches(undefined)]).toEqual([]);
  });

  test.each([true, false])('have at most 128 MiB together, also in a dry run: %s', (keepsSteps) => {
    const plan = createImportPlan('scope', keepsSteps, UNTOLD);
    const text = 'x'.repeat(1_048_576);
    for (let index = 0; index < 127; index += 1) plan.add(create(index, text));
    expect(() => plan.add(create(127, text))).toThrow(
      expect.objectContaining({ code: 'body_too_large' }),
    );
  });
});
