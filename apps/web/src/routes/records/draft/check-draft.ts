// What is wrong with a draft, at the place where it was typed, in the words of the service.
import type { ValidationProblem } from '@muster/contract';
import { describeIssues } from '@muster/contract';
import type { RecordFields, RecordKind } from '../../../features/records/record-kind.ts';
import type { Draft } from './draft.ts';
import { isUsed, toFields } from './draft.ts';

/** Sentences by place: a field of the record, or `xp_thresholds.3.xp`, `custom_data.0.key` by the typed row. */
export type Problems = Readonly<Record<string, string>>;

export const checkDraft = (kind: RecordKind, draft: Draft): Problems => {
  const problems = placeProblems(draft, checkFields(kind, toFields(kind, draft)));
  return { ...problems, ...findRepeatedKeys(draft) };
};

/** By the schema that the service uses. */
export const checkFields = (kind: RecordKind, fields: RecordFields): ValidationProblem[] => {
  const result = kind.schema.safeParse(fields);
  return result.success ? [] : describeIssues('body', result.error.issues, fields);
};

/** The same for what the service itself found. */
export const placeProblems = (draft: Draft, found: readonly ValidationProblem[]): Problems => {
  const placed: Record<string, string> = {};
  for (const problem of found) {
    const place = findPlace(draft, problem);
    placed[place] = placed[place] ? `${placed[place]} ${problem.msg}.` : `${problem.msg}.`;
  }
  return placed;
};

/** Rows that nothing is in are not sent, so that the service counts differently. */
const findPlace = (draft: Draft, { loc, type }: ValidationProblem): string => {
  const [field, element, part] = loc.slice(1);
  if (field === 'xp_thresholds' && typeof element === 'number') {
    const rows = usedIndexes(draft.thresholds);
    return `${field}.${rows[element] ?? element}.${part ?? 'level'}`;
  }
  if (field === 'custom_data' && element !== undefined) {
    const row = draft.customRows.findIndex(({ key }) => key === element);
    return `${field}.${row}.${type === 'value_error.key' ? 'key' : 'value'}`;
  }
  return String(field ?? '');
};

const usedIndexes = (rows: Draft['thresholds']): number[] =>
  rows.flatMap((row, index) => (isUsed(row) ? [index] : []));

const findRepeatedKeys = ({ customRows }: Draft): Problems => {
  const seen = new Set<string>();
  const repeated: Record<string, string> = {};
  for (const [index, row] of customRows.entries()) {
    if (!isUsed(row)) continue;
    if (seen.has(row.key)) repeated[`custom_data.${index}.key`] = 'This key is there already.';
    seen.add(row.key);
  }
  return repeated;
};
