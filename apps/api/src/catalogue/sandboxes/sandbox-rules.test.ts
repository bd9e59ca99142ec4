import { narrowToSandboxes, ROLES } from '@muster/contract';
import { expect, test } from 'vitest';
import { administeredSandboxes, visibleSandboxes } from './sandbox-rules.ts';

const toId = (index: number) => `aaaaaaaa-0000-0000-0000-${String(index).padStart(12, '0')}`;
const [first, second] = [toId(1), toId(2)];

test('finds the sandboxes in which one of the narrowed permissions suffices', () => {
  const permissions = [
    `sandbox:${first}:config:view`,
    `sandbox:${second}:*`,
    `sandbox:${toId(3)}:other`,
    `sandbox:${toId(4).toUpperCase()}:config:edit`,
    'session:view',
    'audit:view',
  ];
  expect(visibleSandboxes(permissions)).toEqual([first, second, toId(4)]);
  expect(administeredSandboxes(permissions)).toEqual([second]);
  expect(visibleSandboxes(['sandbox:config:*'])).toBeUndefined();
  expect(administeredSandboxes(['*'])).toBeUndefined();
});

test('reads each permission a few times, not once for each sandbox', () => {
  let looks = 0;
  const ids = Array.from({ length: 100 }, (_, index) => toId(index));
  const permissions = new Proxy(narrowToSandboxes(ROLES.editor, ids), {
    get: (grants, property) => {
      looks += typeof property === 'string' && /^\d+$/.test(property) ? 1 : 0;
      return Reflect.get(grants, property);
    },
  });
  expect(visibleSandboxes(permissions)).toEqual(ids);
  expect(looks).toBeLessThan(10 * permissions.length);
});
