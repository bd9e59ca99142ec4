import { expect, test } from 'vitest';
import type { ApiError } from './errors.ts';
import { describeFailure, listOtherProblems, toFieldErrors } from './errors.ts';

const problem = (loc: (string | number)[], msg: string) => ({ loc, msg, type: 'value_error' });
const error: ApiError = {
  code: 'input_invalid',
  desc: 'The input is not valid; see detail.',
  status: 400,
  facts: {},
  detail: [
    problem(['body', 'name'], 'Field is required'),
    problem(['body', 'teams', 0, 'max_size'], 'Must be at least 1'),
    problem(['body', 'teams', 0, 'max_size'], 'Must be an integer'),
    problem(['body'], 'Must be an object'),
    problem(['body', 'reason'], 'Must have at most 500 characters'),
  ],
};

test('maps every problem to its field, several per field', () => {
  expect(toFieldErrors(error)).toEqual({
    name: 'Field is required.',
    'teams.0.max_size': 'Must be at least 1. Must be an integer.',
    reason: 'Must have at most 500 characters.',
  });
});

test('lists the problems that no field of the form shows', () => {
  expect(listOtherProblems(error, ['name', 'teams'])).toEqual([
    'Must be an object.',
    'reason: Must have at most 500 characters.',
  ]);
});

test('describes a failure with every problem, or with its own message', () => {
  expect(describeFailure({ ...error, detail: error.detail.slice(0, 2) })).toBe(
    'name: Field is required. teams.0.max_size: Must be at least 1.',
  );
  expect(describeFailure({ ...error, desc: 'The file is not UTF-8.', detail: [] })).toBe(
    'The file is not UTF-8.',
  );
});
