import { describe, expect, test } from 'vitest';
import type { PlannedChange } from './import-rules.ts';
import { createImportPlan } from './import-rules.ts';

const create = (index: number, description = ''): PlannedChange => {
  const recordId = `r${index}`;
  const fields = { name: `Item ${index}`, item_type: 'unit', description };
  const given = { kind: 'item', recordId, operation: 'create', fields } as const;
  return { name: fields.name, operation: { ...given, baseVersion: null, versionId: null } };
};

describe('the operations of a plan', () => {
  test('are written in their order, in batches of 500 or of some hundred thousand characters', () => {
    const plan = createImportPlan('scope', true);
    const changes = Array.from({ length: 1_100 }, (_, index) => create(index));
    const large = Array.from({ length: 4 }, (_, index) =>
      create(2_000 + index, 'x'.repeat(200_000)),
    );
    for (const change of [...changes, ...large]) plan.add(change);
    const batches = [...plan.operations.batches()];
    expect(batches.map(({ length }) => length)).toEqual([500, 500, 102, 2]);
    expect(batches.flat()).toEqual([...changes, ...large].map(({ operation }) => operation));
    expect(plan.operations.count()).toBe(1_104);
  });

  test('have the same digest whether they are kept or not', () => {
    const [kept, shown] = [true, false].map((keepsOperations) => {
      const plan = createImportPlan({ sandboxId: 's' }, keepsOperations);
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
    expect([...plan.operations.batches()]).toEqual([]);
  });

  test.each([true, false])(
    'have at most 128 MiB together, also in a dry run: %s',
    (keepsOperations) => {
      const plan = createImportPlan('scope', keepsOperations);
      const text = 'x'.repeat(1_048_576);
      for (let index = 0; index < 127; index += 1) plan.add(create(index, text));
      expect(() => plan.add(create(127, text))).toThrow(
        expect.objectContaining({ code: 'body_too_large' }),
      );
    },
  );

  test('are at most 50,000, as in every change set', () => {
    const plan = createImportPlan('scope', false);
    for (let index = 0; index < 50_000; index += 1) plan.add(create(index));
    plan.add(null);
    expect(() => plan.add(create(50_000))).toThrow('are more than 50000');
  });
});
